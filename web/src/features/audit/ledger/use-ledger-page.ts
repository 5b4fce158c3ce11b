import { useState } from 'react';
import { LEDGER_ROWS, type LedgerFilters, useLedger } from '../audit.queries.js';
import type { ChosenMoment } from '../moment/use-chosen-moment.js';
import { hasNewer, isWithin, type LedgerPage, newerPage, olderPage, pageAround } from './ledger-page.js';

/**
 * The page of the ledger that is looked at. Another moment brings its own page, unless it is on this one; the ledger
 * growing under somebody who looks at older pages takes them nowhere.
 */
export function useLedgerPage({ number, isNow }: ChosenMoment, lastNumber: number, filters: LedgerFilters) {
  const chosenBy = JSON.stringify(filters);
  const [looked, setLooked] = useState({ number, chosenBy, page: pageAround(number) });
  const { page } = looked;
  const query = useLedger(page.before, filters);
  const setPage = (next: LedgerPage) => setLooked({ number, chosenBy, page: next });
  if (looked.chosenBy !== chosenBy) setPage(pageAround(number));
  else if (looked.number !== number) {
    const shown = query.isPlaceholderData ? [] : (query.data?.events ?? []);
    const stays = (isNow && page.isTurned) || isWithin(number, shown);
    setPage(stays ? page : pageAround(number));
  }
  const nextBefore = query.data?.nextBefore ?? null;
  const isFiltered = chosenBy !== '{}';
  return {
    query,
    isFiltered,
    isFirst: !hasNewer(page, lastNumber),
    toOlder: nextBefore === null ? null : () => setPage(olderPage(page, nextBefore)),
    toNewer: hasNewer(page, lastNumber)
      ? () => setPage(newerPage(page, { rows: LEDGER_ROWS, lastNumber, isFiltered }))
      : null,
    newerText: isFiltered && page.newer.length === 0 ? 'Newest' : 'Newer',
    toNewest: () => setPage({ before: lastNumber + 1, newer: [], isTurned: true }),
  };
}
