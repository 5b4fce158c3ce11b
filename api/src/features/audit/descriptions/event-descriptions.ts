import type { LedgerEvent, LedgerEventType } from '../../../../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../../../../contracts/events/recorded.js';
import type { AuditEvent, AuditPosting } from '../../../../../contracts/http/audit.js';
import type { StatementAccount } from '../../../../../contracts/http/statements.js';
import type { GamerId, NamedGamer } from '../../../../../contracts/ids.js';
import { formatCents } from '../../../../../contracts/money.js';
import { typeText } from '../../../../../contracts/words.js';
import { postings } from '../../../../../domain/ledger/postings.js';
import type { TagOf } from '../../gamers/gamers.queries.js';
import { dateAndTime, LEDGER_DESCRIPTIONS, type LedgerEventDescription, whole } from './ledger-descriptions.js';

const LEDGER: Readonly<Record<LedgerEventType, LedgerEventDescription<LedgerEvent['data']>>> = LEDGER_DESCRIPTIONS;

export function subjectOf({ type, data }: LedgerEvent): GamerId | null {
  const { subject } = LEDGER[type];
  if (subject) return subject(data);
  return 'gamerId' in data ? data.gamerId : null;
}

export const auditGamer = (id: GamerId | null, tagOf: TagOf): NamedGamer | null =>
  id === null ? null : { id, gamerTag: tagOf(id) };

export function gamersIn({ event, metadata: { actor } }: RecordedLedgerEvent): GamerId[] {
  const others = LEDGER[event.type].otherGamers?.(event.data) ?? [];
  return [subjectOf(event), actor.id === 'system' ? null : actor.id, ...others].filter((id) => id !== null);
}

type EventWithActor = { event: LedgerEvent; metadata: Pick<RecordedLedgerEvent['metadata'], 'actor'> };

const ownTagOf = ({ event, metadata: { actor } }: EventWithActor, tagOf: TagOf): string | null =>
  actor.id === subjectOf(event) ? tagOf(actor.id) : null;

export const describeSummary = (recorded: EventWithActor, tagOf: TagOf): string =>
  LEDGER[recorded.event.type].summary(recorded.event.data, tagOf, ownTagOf(recorded, tagOf));

const SHOWN_APART = ['gamerId', 'buyerId', 'roundId'];

/** The event's single values by the name of their field. Lists and objects stand in its recorded data only. */
export const describeFields = ({ data }: LedgerEvent, tagOf: TagOf): AuditEvent['fields'] =>
  Object.entries(data).flatMap(([field, value]) => {
    const text = SHOWN_APART.includes(field) ? '' : valueText(field, value, tagOf);
    return text === '' ? [] : [{ name: typeText(field.replace(/Id$|Cents$|(Epoch)?Ms$/, '')), value: text }];
  });

function valueText(field: string, value: unknown, tagOf: TagOf): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return field === 'sponsorId' || field === 'parentId' ? tagOf(value) : value;
  if (typeof value !== 'number') return '';
  if (field.endsWith('Cents')) return formatCents(value);
  if (/(at|until|from|epoch)Ms$/i.test(field)) return dateAndTime(value);
  return field.endsWith('Ms') ? `${whole(value)} ms` : whole(value);
}

/** The event's double entry, each posting with its account's name and its reason. */
export const describePostings = (event: LedgerEvent, tagOf: TagOf): AuditPosting[] =>
  postings(event).map((posting) => {
    const { account, cents } = posting;
    const reason = LEDGER[event.type].postingReasons?.(event.data, posting);
    if (reason === undefined) throw new Error(`${event.type} posts to ${account} without a reason`);
    const name = account.replace(/^gamer:(.*):/, (_, id: GamerId) => `gamer:${tagOf(id)}:`);
    return { account, name, reason, cents };
  });

/** An event's line in a statement; on an account that is not a gamer's, with the gamer's name. */
export function describeStatementLine(account: StatementAccount, recorded: RecordedLedgerEvent, tagOf: TagOf): string {
  const { event } = recorded;
  const subject = subjectOf(event);
  const ownTag = ownTagOf(recorded, tagOf);
  const text = LEDGER[event.type].statement?.(event.data, account, ownTag) ?? typeText(event.type);
  return subject === null || account === 'winnings' || account === 'purchase' ? text : `${text} (${tagOf(subject)})`;
}

const PURCHASES: Partial<Record<StatementAccount, string>> = {
  winnings: 'Matrix credits',
  jackpot: 'Jackpot shares',
  'house:profit': 'House shares',
  'house:unclaimed': 'Unclaimed shares',
  'world:crypto': 'Tokens paid by invoice',
};

/** A statement's line for many purchases: "Matrix credits, rounds 34 to 37". */
export function describePurchases(account: StatementAccount, firstRound: number, lastRound: number): string {
  const rounds = firstRound === lastRound ? `round ${firstRound}` : `rounds ${firstRound} to ${lastRound}`;
  return `${PURCHASES[account] ?? 'Tokens bought'}, ${rounds}`;
}
