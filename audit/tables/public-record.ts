import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import type * as http from '../../contracts/http/public-record.js';
import { words } from '../../contracts/words.js';
import { differentKeys, formatCents, newYorkDay } from '../replay/finding.js';

export type AdjustedDay = Omit<http.AdjustedDay, 'day'>;

const RECORDED_TYPES = new Set<string>(
  words('GameReset TimersChanged GameScheduled ScheduleCancelled LiveResumed HistoryLost'),
);

/** The public record of the log: resets, forced and planned starts, timer changes, outages, losses of history, and the sums of each day's adjustments. */
export class PublicRecord {
  /** Type and data by revision. */
  readonly entries = new Map<number, { event: object; atMs: number }>();
  readonly days = new Map<string, AdjustedDay>();

  take(revision: number, { type, data }: LedgerEvent, atMs: number): void {
    const isForced = type === 'LiveStarted' && data.forced;
    if (isForced || RECORDED_TYPES.has(type)) this.entries.set(revision, { event: { type, data }, atMs });
    if (type !== 'BalanceAdjusted') return;
    const amounts = [data.purchaseCents, data.winningsCents];
    const sumOf = (sign: 1 | -1): number => amounts.reduce((sum, one) => sum + Math.max(0, sign * one), 0);
    const day = newYorkDay(atMs);
    const { adjustments, addedCents, takenCents } = this.days.get(day) ?? NOTHING;
    this.days.set(day, {
      adjustments: adjustments + 1,
      addedCents: addedCents + sumOf(1),
      takenCents: takenCents + sumOf(-1),
    });
  }

  differencesFrom({ entries, days }: Pick<PublicRecord, 'entries' | 'days'>): string[] {
    return [
      ...differentKeys(this.entries, entries).map(
        (revision) => `public record: event ${revision + 1} is not shown as it is in the log`,
      ),
      ...differentKeys(this.days, days).map(
        (day) => `public record: ${day} has ${sums(days.get(day))}, but ${sums(this.days.get(day))} in the log`,
      ),
    ];
  }
}

const NOTHING: AdjustedDay = { adjustments: 0, addedCents: 0, takenCents: 0 };

const sums = ({ adjustments, addedCents, takenCents } = NOTHING): string =>
  `${adjustments} adjustments (${formatCents(addedCents)} added, ${formatCents(takenCents)} taken)`;
