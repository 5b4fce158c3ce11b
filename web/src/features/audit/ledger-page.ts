import type { AuditLine } from '../../../../contracts/http/audit.js';

const FUTURE_ROWS = 4;

/** One page of the ledger: the newest events before the event number `before`. */
export interface LedgerPage {
  before: number;
  /** The `before` of the newer pages that were turned, the newest page first. */
  newer: readonly number[];
  /** True after the auditor turned a page, which may have left the chosen event. */
  isTurned: boolean;
}

export const pageAround = (number: number): LedgerPage => ({
  before: number + FUTURE_ROWS + 1,
  newer: [],
  isTurned: false,
});

export const newestPage = (lastNumber: number): LedgerPage => ({ before: lastNumber + 1, newer: [], isTurned: true });

export const olderPage = ({ before, newer }: LedgerPage, nextBefore: number): LedgerPage => ({
  before: nextBefore,
  newer: [...newer, before],
  isTurned: true,
});

/** The newer page that the auditor came from. Without one: the next newer page or, of a filtered ledger, the newest page. */
export function newerPage(
  { before, newer }: LedgerPage,
  { rows, lastNumber, isFiltered }: { rows: number; lastNumber: number; isFiltered: boolean },
): LedgerPage {
  const previous = newer.at(-1);
  if (previous !== undefined) return { before: previous, newer: newer.slice(0, -1), isTurned: true };
  const newest = newestPage(lastNumber);
  return isFiltered ? newest : { ...newest, before: Math.min(before + rows, newest.before) };
}

export const hasNewer = ({ before, newer }: LedgerPage, lastNumber: number): boolean =>
  newer.length > 0 || before <= lastNumber;

export const isWithin = (number: number, events: readonly AuditLine[]): boolean =>
  events.length > 0 && number <= (events[0] as AuditLine).number && number >= (events.at(-1) as AuditLine).number;

/** Index of the row below the line "you are here"; null when the line is on another page. */
export function youAreHereIndex(
  number: number,
  events: readonly AuditLine[],
  edges: { isFirst: boolean; isLast: boolean },
): number | null {
  if (events.length === 0) return null;
  const past = events.findIndex((event) => event.number <= number);
  if (past === -1) return edges.isLast ? events.length : null;
  return past > 0 || edges.isFirst || events[0]?.number === number ? past : null;
}
