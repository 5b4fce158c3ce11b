import type { LedgerEvents } from '../events/ledger-events.js';
import type { TimerSettings } from '../limits.js';
import type { NewYorkDay } from '../new-york.js';
import type { ScheduleRequest } from './game.js';
import type { Paged } from './headers.js';

type GameReset = LedgerEvents['GameReset'];

/** An event's place in the ledger: anyone gets its proof with `GET /api/ledger/events/{revision}/proof?id={eventId}`. */
interface Recorded {
  /** The event's revision in the stream `ledger`. */
  revision: number;
  eventId: string;
  at: number;
}

/** The game was set to idle. An open round is void, and its jackpot carried. */
export interface ResetEntry extends Recorded, GameReset {
  kind: 'reset';
}

export interface TimersEntry extends Recorded {
  kind: 'timers';
  timers: TimerSettings;
  timersBefore: TimerSettings | null;
}

/** A countdown ran out while no server could take a purchase, and was resumed (decision 20). */
export interface OutageEntry extends Recorded, Pick<LedgerEvents['LiveResumed'], 'roundId' | 'outageSeconds'> {
  kind: 'outage';
  /** Time that the round was given. */
  secondsLeft: number;
}

/** The ledger lost events of which a head was signed, and an operator accepted it. */
export interface LossEntry extends Recorded, Pick<LedgerEvents['HistoryLost'], 'signedSize' | 'acceptedBy' | 'reason'> {
  kind: 'loss';
  /** What was appended after this time is lost. */
  lastKeptAt: number;
}

/** A start was planned, a daily one again for each next day; or, without a plan, it was cancelled. */
export interface ScheduleEntry extends Recorded {
  kind: 'schedule';
  startsAt: number;
  plan: ScheduleRequest | null;
}

export type PublicRecordEntry = ResetEntry | TimersEntry | ScheduleEntry | OutageEntry | LossEntry;

/** GET /api/public-record: newest first, in pages. */
export interface PublicRecordResponse extends Paged<'entries', PublicRecordEntry> {}

/** The adjustments of a day in New York, in sums: their reasons are about gamers. */
export interface AdjustedDay {
  day: NewYorkDay;
  adjustments: number;
  addedCents: number;
  /** Not negative. */
  takenCents: number;
}

/** GET /api/public-record/adjustments: newest first, in pages. */
export interface AdjustedDaysResponse extends Paged<'days', AdjustedDay> {}
