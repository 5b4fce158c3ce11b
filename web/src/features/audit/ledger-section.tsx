import { Fragment, useState } from 'react';
import { type AuditLine, LEDGER_EVENT_TYPES } from '../../../../contracts/http/audit.js';
import { FIND_MAX_LENGTH } from '../../../../contracts/limits.js';
import { useServerNow } from '../../shared/clock.js';
import { formatCents, numberText, wholeFromInput } from '../../shared/format.js';
import { Button, Field, SelectField, useFields } from '../../shared/ui/controls.js';
import { useSettled } from '../../shared/ui/hooks.js';
import { QueryResult, TableHead } from '../../shared/ui/query-result.js';
import type { AsOf } from './as-of-panel.js';
import { LEDGER_ROWS, type LedgerFilters, useLedger } from './audit.queries.js';
import { exactTimeText } from './audit-parts.js';

interface LedgerSectionProps {
  lastNumber: number;
  asOf: AsOf;
  onChoose: (number: number) => void;
}

export function LedgerSection({ lastNumber, asOf, onChoose }: LedgerSectionProps) {
  const fields = useFields({ find: '', type: '', round: '' });
  const filters = filtersOf(useSettled(fields.values));
  const { query, page, setPage } = useLedgerPage(asOf, filters);
  const isFiltered = Object.keys(filters).length > 0;
  const isFirst = !hasNewer(page, lastNumber);
  return (
    <section aria-labelledby="audit-ledger">
      <h2 id="audit-ledger">Ledger</h2>
      <FilterFields fields={fields} />
      <QueryResult query={query} what="events" rows={LEDGER_ROWS}>
        {({ events, nextBefore }) =>
          events.length === 0 ? (
            <NothingFound onNewest={isFirst ? null : () => setPage(newestPage(lastNumber))} />
          ) : (
            <>
              <LedgerTable
                events={events}
                number={asOf.number}
                edges={{ isFirst, isLast: nextBefore === null }}
                onChoose={onChoose}
              />
              <nav className="flex items-center justify-between gap-4" aria-label="Pages of the ledger">
                <Button
                  kind="line sm"
                  text={isFiltered && page.newer.length === 0 ? 'Newest' : 'Newer'}
                  blocked={isFirst && 'These are the newest'}
                  onClick={() => setPage(newerPage(page, { rows: LEDGER_ROWS, lastNumber, isFiltered }))}
                />
                <Button
                  kind="line sm"
                  text="Older"
                  blocked={nextBefore === null && 'These are the oldest'}
                  onClick={() => nextBefore !== null && setPage(olderPage(page, nextBefore))}
                />
              </nav>
            </>
          )
        }
      </QueryResult>
      <p className="t14 dim pt-3">Paler rows came after the chosen event.</p>
    </section>
  );
}

/** Moves to a chosen event's page unless it is visible. Following now never moves a page that the auditor turned. */
function useLedgerPage({ number, isNow }: AsOf, filters: LedgerFilters) {
  const filterKey = JSON.stringify(filters);
  const [shown, setShown] = useState({ number, filterKey, page: pageAround(number) });
  const { page } = shown;
  const query = useLedger(page.before, filters);
  const setPage = (next: LedgerPage) => setShown({ number, filterKey, page: next });
  if (shown.filterKey !== filterKey) setPage(pageAround(number));
  else if (shown.number !== number) {
    const events = query.isPlaceholderData ? [] : (query.data?.events ?? []);
    const stays = (isNow && page.isTurned) || isWithin(number, events);
    setPage(stays ? page : pageAround(number));
  }
  return { query, page, setPage };
}

type Filters = { find: string; type: string; round: string };

function filtersOf({ find, type, round }: Filters): LedgerFilters {
  const roundId = wholeFromInput(round);
  return {
    ...(find.trim() === '' ? {} : { find: find.trim() }),
    ...(type === '' ? {} : { type }),
    ...(roundId === null ? {} : { roundId }),
  };
}

const types = [
  { value: '', text: 'All events' },
  ...[...LEDGER_EVENT_TYPES].sort().map((type) => ({ value: type, text: type })),
];

function FilterFields({ fields }: { fields: ReturnType<typeof useFields<Filters>> }) {
  const { values, change, bind } = fields;
  const isRound = values.round.trim() === '' || wholeFromInput(values.round) !== null;
  return (
    <search className="filters" aria-label="Which events">
      <Field
        label="Find an id, gamer or hash"
        type="search"
        spellCheck={false}
        autoCapitalize="off"
        maxLength={FIND_MAX_LENGTH}
        placeholder="nova_kid, 184219, 41d7…"
        {...bind('find')}
      />
      <SelectField label="Event" value={values.type} options={types} onChange={(type) => change({ type })} />
      <Field
        label="Round"
        inputMode="numeric"
        placeholder="All"
        {...bind('round')}
        error={isRound ? null : 'Rounds are numbered 1, 2, 3 …'}
      />
    </search>
  );
}

/** The page ends soon after the chosen event, so matching events may be on newer pages. */
const NothingFound = ({ onNewest }: { onNewest: (() => void) | null }) => (
  <div className="grid justify-items-start gap-4 py-4">
    <p className="dim">{onNewest === null ? 'No events match.' : 'No events up to the chosen one match.'}</p>
    {onNewest !== null && <Button kind="line sm" text="Search the newest" onClick={onNewest} />}
  </div>
);

interface LedgerTableProps {
  events: readonly AuditLine[];
  number: number;
  edges: { isFirst: boolean; isLast: boolean };
  onChoose: (number: number) => void;
}

function LedgerTable({ events, number, edges, onChoose }: LedgerTableProps) {
  const here = youAreHereIndex(number, events, edges);
  const now = useServerNow(60_000);
  return (
    <table className="tbl tbl--brief ledger">
      <caption className="sr">Events, newest first</caption>
      <TableHead columns={['No.', 'Event', 'Gamer', 'What it says', 'Moves']} right={1} />
      <tbody>
        {events.map((event, index) => (
          <Fragment key={event.number}>
            {index === here && <YouAreHere />}
            <LedgerRow event={event} number={number} now={now} onChoose={onChoose} />
          </Fragment>
        ))}
        {here === events.length && <YouAreHere />}
      </tbody>
    </table>
  );
}

const YouAreHere = () => (
  <tr className="here">
    <td colSpan={5}>
      <span>you are here</span>
    </td>
  </tr>
);

type LedgerRowProps = { event: AuditLine; now: number } & Pick<LedgerTableProps, 'number' | 'onChoose'>;

function LedgerRow({ event, number, now, onChoose }: LedgerRowProps) {
  const isChosen = event.number === number;
  const isFuture = event.number > number;
  return (
    <tr
      className={`${isChosen ? 'sel' : ''} ${isFuture ? 'future' : ''}`}
      aria-current={isChosen ? 'true' : undefined}
      onClick={() => onChoose(event.number)}
    >
      <td className="e pos num">
        {numberText(event.number)} <br />
        <span className="dim t12">{exactTimeText(event.atEpochMs, now)}</span>
        {isFuture && <span className="sr">, had not happened yet</span>}
      </td>
      <td className="a">
        <button type="button" className="rowbtn" aria-label={`${event.type}, event ${numberText(event.number)}`}>
          {event.type}
        </button>
      </td>
      <td className="d">{event.gamer === null ? '' : <b>{event.gamer.gamerTag}</b>}</td>
      <td className="c">{event.summary}</td>
      <td className="b r num">
        {event.movesCents === 0 ? <span className="faint">nothing</span> : formatCents(event.movesCents)}
      </td>
    </tr>
  );
}

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
