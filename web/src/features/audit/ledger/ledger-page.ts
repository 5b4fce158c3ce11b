import type { AuditLine } from '../../../../../contracts/http/audit.js';

/** Rows above the chosen moment, which had not happened yet. */
export const FUTURE_ROWS = 4;

/** One page of the ledger: the newest events before `before`. */
export interface LedgerPage {
  before: number;
  /** The pages that were turned over on the way here, the one next to this last. */
  newer: readonly number[];
  /** Somebody looks elsewhere than at the chosen moment. */
  isTurned: boolean;
}

/** The page with an event in it, and a few above. */
export const pageAround = (number: number): LedgerPage => ({
  before: number + FUTURE_ROWS + 1,
  newer: [],
  isTurned: false,
});

export const olderPage = ({ before, newer }: LedgerPage, nextBefore: number): LedgerPage => ({
  before: nextBefore,
  newer: [...newer, before],
  isTurned: true,
});

/** Back over what was turned; beyond that a page on, or, when only some events are listed, to the newest. */
export function newerPage(
  { before, newer }: LedgerPage,
  { rows, lastNumber, isFiltered }: { rows: number; lastNumber: number; isFiltered: boolean },
): LedgerPage {
  const back = newer.at(-1);
  if (back !== undefined) return { before: back, newer: newer.slice(0, -1), isTurned: true };
  return { before: isFiltered ? lastNumber + 1 : Math.min(before + rows, lastNumber + 1), newer: [], isTurned: true };
}

export const hasNewer = ({ before, newer }: LedgerPage, lastNumber: number): boolean =>
  newer.length > 0 || before <= lastNumber;

/** Whether an event is on a page, or would be if it were looked for. */
export const isWithin = (number: number, events: readonly AuditLine[]): boolean =>
  events.length > 0 && number <= (events[0] as AuditLine).number && number >= (events.at(-1) as AuditLine).number;

/**
 * Above which of the rows the line "you are here" stands; null when it is on another page.
 *
 * @param edges whether nothing is listed above the rows, nor below them
 */
export function hereAbove(
  number: number,
  events: readonly AuditLine[],
  edges: { isFirst: boolean; isLast: boolean },
): number | null {
  if (events.length === 0) return null;
  const past = events.findIndex((event) => event.number <= number);
  if (past === -1) return edges.isLast ? events.length : null;
  return past > 0 || edges.isFirst || events[0]?.number === number ? past : null;
}
