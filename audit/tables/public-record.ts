import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import { words } from '../../contracts/words.js';
import { formatCents, newYorkDay } from '../replay/finding.js';
import { differentKeys } from './different-keys.js';

export interface AdjustedDay {
  adjustments: number;
  addedCents: number;
  takenCents: number;
}

export interface PublicRecordTables {
  /** Type and data by revision. */
  entries: Map<number, { event: object; atMs: number }>;
  days: Map<string, AdjustedDay>;
}

const RECORDED = new Set<string>(
  words('GameReset TimersChanged GameScheduled ScheduleCancelled LiveResumed HistoryLost'),
);

/** Collects the public record from the log: resets, forced and planned starts, timer changes, outages, losses of history, and the sums of each day's adjustments. */
export class PublicRecord {
  readonly entries: PublicRecordTables['entries'] = new Map();
  readonly days: PublicRecordTables['days'] = new Map();

  take(revision: number, { type, data }: LedgerEvent, at: number): void {
    const isForced = type === 'LiveStarted' && data.forced;
    if (isForced || RECORDED.has(type)) this.entries.set(revision, { event: { type, data }, atMs: at });
    if (type !== 'BalanceAdjusted') return;
    const amounts = [data.purchaseCents, data.winningsCents];
    const sumOf = (sign: 1 | -1): number => amounts.reduce((sum, one) => sum + Math.max(0, sign * one), 0);
    const day = newYorkDay(at);
    const { adjustments, addedCents, takenCents } = this.days.get(day) ?? NOTHING;
    this.days.set(day, {
      adjustments: adjustments + 1,
      addedCents: addedCents + sumOf(1),
      takenCents: takenCents + sumOf(-1),
    });
  }

  differencesFrom({ entries, days }: PublicRecordTables): string[] {
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
