import type { LedgerEvent, LedgerEventType } from '../../../../../contracts/events/ledger-events.js';
import type { OurEvent, RecordedLedgerEvent } from '../../../../../contracts/events/recorded.js';
import type { ActivityTopic } from '../../../../../contracts/http/activity.js';
import type { AuditEvent, AuditGamer, AuditPosting } from '../../../../../contracts/http/audit.js';
import type { StatementAccount } from '../../../../../contracts/http/statements.js';
import type { GamerId } from '../../../../../contracts/ids.js';
import { postings } from '../../../../../domain/ledger/postings.js';
import type { ActivityBefore } from '../../../../../projections/src/views/tables.entity.js';
import type { NameOf } from '../../gamers/gamers.queries.js';
import {
  type ActivityDescription,
  type LedgerEventDescription,
  type LedgerEventDescriptions,
  replacedNote,
  ticketChange,
  typeText,
} from './formats.js';
import {
  BALANCE_DESCRIPTIONS,
  GAME_DESCRIPTIONS,
  GAMER_DESCRIPTIONS,
  PAYOUT_DESCRIPTIONS,
} from './ledger-descriptions.js';

/** Every ledger event's description: a new event type without one fails the type check. */
export const LEDGER_DESCRIPTIONS: LedgerEventDescriptions = {
  ...GAME_DESCRIPTIONS,
  ...GAMER_DESCRIPTIONS,
  ...BALANCE_DESCRIPTIONS,
  ...PAYOUT_DESCRIPTIONS,
};

type StreamEventType = Exclude<OurEvent['type'], LedgerEventType>;
type DataOf<T extends StreamEventType> = Extract<OurEvent, { type: T }>['data'];

/** Descriptions of the events outside the ledger. Only the activity log shows them. */
export const STREAM_DESCRIPTIONS: { readonly [T in StreamEventType]: ActivityDescription<DataOf<T>> } = {
  GamerRegistered: {},
  AdminSignedIn: { topic: 'gamers', activity: () => 'Signed in' },
  GamerRenamed: { topic: 'gamers', activity: (data) => `Renamed ${data.gamerTagBefore} to ${data.gamerTag}` },
  EmailChanged: {
    topic: 'gamers',
    activity: (data, { gamer }) => `Changed the email of ${gamer} from ${data.emailBefore} to ${data.email}`,
  },
  PasswordChanged: {
    topic: 'gamers',
    activity: (data, { gamer }) =>
      `Set a new password for ${gamer}${data.by === 'reset-link' ? ' by a mailed link' : ''}`,
  },
  RoleChanged: {
    topic: 'gamers',
    activity: (data, { gamer }) => `Changed the role of ${gamer} from ${data.roleBefore} to ${data.role}`,
  },
  WalletSaved: {
    activity: (data, { gamer }) => `Saved ${data.walletAddress} as the ${data.cryptoType} address of ${gamer}`,
  },
  PaymentOpened: {},
  CallbackReceived: {},
  PaymentSeen: {
    topic: 'money',
    activity: (data) => {
      const paid = `${data.actuallyPaid} ${data.payCurrency.toUpperCase()} paid`;
      return `Looked up payment ${data.paymentId}: ${data.gatewayStatus ?? data.status}, with ${paid}`;
    },
  },
  PaymentSettled: {},
  PaymentParked: {},
  PaymentExpired: {},
  TicketOpened: { topic: 'support', activity: (data) => `Opened the ticket "${data.subject}"` },
  TicketClosed: {
    topic: 'support',
    activity: (data, { before, gamer }) => ticketChange(before, gamer, 'closed', data.adminNotes),
  },
  TicketReopened: {
    topic: 'support',
    activity: (data, { before, gamer }) => ticketChange(before, gamer, 'open', data.adminNotes),
  },
  TicketNoted: {
    topic: 'support',
    activity: (data, { before, gamer }) => {
      const ticket = `${before?.ticket?.status} ticket "${before?.ticket?.subject}"`;
      return `Noted on the ${ticket} of ${gamer}${replacedNote(before, data.adminNotes)}`;
    },
  },
  PostPublished: { topic: 'community', activity: () => 'Posted to the community' },
  PostHidden: { topic: 'community', activity: (_, { gamer }) => `Hid a post of ${gamer}` },
};

/* Every text about an event: of the activity log, the audit screens and the statements. */

const LEDGER: Readonly<Record<LedgerEventType, LedgerEventDescription<LedgerEvent['data']>>> = LEDGER_DESCRIPTIONS;
const ALL: Readonly<Record<OurEvent['type'], ActivityDescription<OurEvent['data']>>> = {
  ...LEDGER_DESCRIPTIONS,
  ...STREAM_DESCRIPTIONS,
};

/** The admin's action, as a sentence without its subject, with the values before and after. */
export function describeActivity(activity: {
  event: OurEvent;
  before: ActivityBefore | null;
  gamerTag: string | null;
}): string {
  const { event, before, gamerTag } = activity;
  const text = ALL[event.type].activity?.(event.data, { before, gamer: gamerTag ?? 'no gamer' });
  return text ?? typeText(event.type).toLowerCase();
}

/** The event types of a topic of the activity log. */
export const typesAbout = (topic: ActivityTopic): OurEvent['type'][] =>
  (Object.keys(ALL) as OurEvent['type'][]).filter((type) => ALL[type].topic === topic);

/** The gamer that a ledger event is about; null if it is about none. */
export const subjectOf = ({ type, data }: LedgerEvent): GamerId | null => LEDGER[type].subject(data);

export const auditGamer = (id: GamerId | null, nameOf: NameOf): AuditGamer | null =>
  id === null ? null : { id, gamerTag: nameOf(id) };

/** The gamers whose names the event's texts use. */
export function gamersIn({ event, metadata: { actor } }: RecordedLedgerEvent): GamerId[] {
  const others = LEDGER[event.type].otherGamers?.(event.data) ?? [];
  return [subjectOf(event), actor.id === 'system' ? null : actor.id, ...others].filter((id) => id !== null);
}

export const describeSummary = ({ type, data }: LedgerEvent, nameOf: NameOf): string =>
  LEDGER[type].summary(data, nameOf);

export const describeFacts = ({ type, data }: LedgerEvent, nameOf: NameOf): AuditEvent['facts'] =>
  Object.entries(LEDGER[type].facts(data, nameOf)).flatMap(([name, value]) => (value ? [{ name, value }] : []));

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
export function describeChange(account: StatementAccount, event: LedgerEvent, nameOf: NameOf): string {
  const text = LEDGER[event.type].statement?.(event.data, account) ?? typeText(event.type);
  const subject = subjectOf(event);
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
