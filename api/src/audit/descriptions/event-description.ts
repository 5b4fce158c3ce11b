import type { LedgerEvents, LedgerEventType } from '../../../../contracts/events/ledger-events.js';
import type { ActivityTopic } from '../../../../contracts/http/admin.js';
import type { StatementAccount } from '../../../../contracts/http/audit.js';
import type { GamerId } from '../../../../contracts/ids.js';
import type { Posting } from '../../../../contracts/ledger-accounts.js';
import type { ActivityBefore } from '../../../../projections/src/views/tables.entity.js';
import type { NameOf } from '../../accounts/gamer-names.queries.js';

/** Data for an activity text that the event itself does not hold. */
export interface ActivityContext {
  before: ActivityBefore | null;
  /** The tag of the event's gamer; "no gamer" if it has none. */
  gamer: string;
}

export interface ActivityDescription<Data> {
  /** The topic that the activity log lists the event under. */
  topic?: ActivityTopic;
  /** The admin's action, as a sentence without its subject. Without it the event's type is the text. */
  activity?(data: Data, context: ActivityContext): string;
}

/** An empty fact is left out. */
type Facts = Record<string, string | null | undefined>;

export interface LedgerEventDescription<Data> extends ActivityDescription<Data> {
  /** The gamer that the event is about. */
  subject(data: Data): GamerId | null;
  /** Other gamers whose names the texts use. */
  otherGamers?(data: Data): (GamerId | null)[];
  /** One line for the ledger's list; leaves out type, gamer and amount, which have columns. */
  summary(data: Data, nameOf: NameOf): string;
  /** The event's other details by name. */
  facts(data: Data, nameOf: NameOf): Facts;
  /** The reason for a posting. Required for every event with postings. */
  postingReasons?(data: Data, posting: Posting): string;
  /** The event's line in an account's statement. Without it the event's type is the text. */
  statement?(data: Data, account: StatementAccount): string;
}

export type LedgerEventDescriptions = { readonly [T in LedgerEventType]: LedgerEventDescription<LedgerEvents[T]> };
