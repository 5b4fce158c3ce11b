import type { LedgerEvents } from '../events/ledger-events.js';
import type { EventOf } from '../events/metadata.js';
import type { TimerSettings } from '../limits.js';
import type { NewYorkDay } from '../new-york.js';
import type { ListPage } from './headers.js';

/** The acts of the staff, the plans that follow from them and the outages: everyone may read them, and they name no gamer. */
export const PUBLIC_EVENT_TYPES = [
  'GameReset',
  'LiveStarted',
  'TimersChanged',
  'GameScheduled',
  'ScheduleCancelled',
  'LiveResumed',
  'HistoryLost',
] as const;
export type PublicEvent = EventOf<LedgerEvents, (typeof PUBLIC_EVENT_TYPES)[number]>;

/** An event of the ledger: anyone gets its proof with `GET /api/ledger/events/{revision}/proof?id={eventId}`. */
export interface PublicRecordEntry {
  revision: number;
  eventId: string;
  atMs: number;
  event: PublicEvent;
  /** The timers before a TimersChanged; null for another event. */
  timersBefore: TimerSettings | null;
}

/** GET /api/public-record: newest first, in pages. */
export interface PublicRecordResponse extends ListPage<'entries', PublicRecordEntry> {}

/** The adjustments of a day in New York, in sums: their reasons are about gamers. */
export interface AdjustedDay {
  day: NewYorkDay;
  adjustments: number;
  addedCents: number;
  /** A positive number or zero. */
  takenCents: number;
}

/** GET /api/public-record/adjustments: newest first, in pages. */
export interface AdjustedDaysResponse extends ListPage<'days', AdjustedDay> {}
