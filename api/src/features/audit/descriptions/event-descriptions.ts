import type { LedgerEvent, LedgerEventType } from '../../../../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../../../../contracts/events/recorded.js';
import type { AuditEvent, AuditPosting } from '../../../../../contracts/http/audit.js';
import type { StatementAccount } from '../../../../../contracts/http/statements.js';
import type { GamerId, NamedGamer } from '../../../../../contracts/ids.js';
import { typeText } from '../../../../../contracts/words.js';
import { postings } from '../../../../../domain/ledger/postings.js';
import type { NameOf } from '../../gamers/gamers.queries.js';
import type { LedgerEventDescription } from './formats.js';
import { LEDGER_DESCRIPTIONS } from './ledger-descriptions.js';

const LEDGER: Readonly<Record<LedgerEventType, LedgerEventDescription<LedgerEvent['data']>>> = LEDGER_DESCRIPTIONS;
export function subjectOf({ type, data }: LedgerEvent): GamerId | null {
  const { subject } = LEDGER[type];
  if (subject) return subject(data);
  return 'gamerId' in data ? data.gamerId : null;
}

export const auditGamer = (id: GamerId | null, nameOf: NameOf): NamedGamer | null =>
  id === null ? null : { id, gamerTag: nameOf(id) };

/** The gamers whose names the event's texts use. */
export function gamersIn({ event, metadata: { actor } }: RecordedLedgerEvent): GamerId[] {
  const others = LEDGER[event.type].otherGamers?.(event.data) ?? [];
  return [subjectOf(event), actor.id === 'system' ? null : actor.id, ...others].filter((id) => id !== null);
}

type EventWithActor = { event: LedgerEvent; metadata: Pick<RecordedLedgerEvent['metadata'], 'actor'> };

const ownTagOf = ({ event, metadata: { actor } }: EventWithActor, nameOf: NameOf): string | null =>
  actor.id === subjectOf(event) ? nameOf(actor.id) : null;

export const describeSummary = (recorded: EventWithActor, nameOf: NameOf): string =>
  LEDGER[recorded.event.type].summary(recorded.event.data, nameOf, ownTagOf(recorded, nameOf));

export const describeFields = ({ type, data }: LedgerEvent, nameOf: NameOf): AuditEvent['fields'] =>
  Object.entries(LEDGER[type].fields?.(data, nameOf) ?? {}).flatMap(([name, value]) =>
    value ? [{ name, value }] : [],
  );

/** The event's double entry, each posting with its account's name and its reason. */
export const describePostings = (event: LedgerEvent, nameOf: NameOf): AuditPosting[] =>
  postings(event).map((posting) => {
    const { account, cents } = posting;
    const why = LEDGER[event.type].postingReasons?.(event.data, posting);
    if (why === undefined) throw new Error(`${event.type} posts to ${account} without a reason`);
    const name = account.replace(/^gamer:(.*):/, (_, id: GamerId) => `gamer:${nameOf(id)}:`);
    return { account, name, why, cents };
  });

/** An event's line in a statement; on an account that is not a gamer's, with the gamer's name. */
export function describeChange(account: StatementAccount, recorded: RecordedLedgerEvent, nameOf: NameOf): string {
  const { event } = recorded;
  const subject = subjectOf(event);
  const ownTag = ownTagOf(recorded, nameOf);
  const text = LEDGER[event.type].statement?.(event.data, account, ownTag) ?? typeText(event.type);
  return subject === null || account === 'winnings' || account === 'purchase' ? text : `${text} (${nameOf(subject)})`;
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
