import { useSearch } from '@tanstack/react-router';
import { Fragment, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { type AuditLine, LEDGER_EVENT_GROUPS } from '../../../../contracts/http/audit.js';
import { QUERY_MAX_LENGTH } from '../../../../contracts/limits.js';
import { typeText } from '../../../../contracts/words.js';
import { useServerNow } from '../../shared/clock.js';
import { formatCents, numberText, wholeFromInput } from '../../shared/format.js';
import { Button, Field, useFields } from '../../shared/ui/controls.js';
import { useDebounced } from '../../shared/ui/hooks.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { Table } from '../../shared/ui/table.js';
import { type AsOf, type Filters, withoutEmpty } from './as-of-panel.js';
import { LEDGER_ROWS, type LedgerFilters, newestMatch, useLedger } from './audit.queries.js';
import { exactTimeText } from './audit-parts.js';

interface LedgerSectionProps {
  lastNumber: number;
  asOf: AsOf;
  onChoose: (number: number) => void;
}

export function LedgerSection({ lastNumber, asOf, onChoose }: LedgerSectionProps) {
  const { find = '', type = '', round = '' } = useSearch({ strict: false }) as Partial<Filters>;
  const filters = { find, type, round };
  const isFiltered = Object.values(filters).some(Boolean);
  const { query, before, turnTo } = useLedgerPage(asOf, queryOf(filters), lastNumber);
  const newer = isFiltered ? lastNumber : Math.min(asOf.number + LEDGER_ROWS, lastNumber);
  return (
    <section aria-labelledby="audit-ledger">
      <h2 id="audit-ledger">Ledger</h2>
      <FilterFields filters={filters} asOf={asOf} />
      <QueryResult query={query} noun="events" rows={LEDGER_ROWS}>
        {({ events, nextBefore }) => (
          <>
            {events.length === 0 && <p className="dim py-4">No events match.</p>}
            {events.length > 0 && <LedgerTable events={events} number={asOf.number} onChoose={onChoose} />}
            <nav className="flex items-center justify-between gap-4" aria-label="Pages of the ledger">
              <Button
                kind="line sm"
                text={isFiltered ? 'Newest' : 'Newer'}
                blocked={before > lastNumber && 'These are the newest'}
                onClick={() => turnTo(newer)}
              />
              <Button
                kind="line sm"
                text="Older"
                blocked={nextBefore === null && 'These are the oldest'}
                onClick={() => nextBefore !== null && turnTo(nextBefore)}
              />
            </nav>
          </>
        )}
      </QueryResult>
      <p className="t14 dim pt-3">Paler rows came after the chosen event.</p>
    </section>
  );
}

const FUTURE_ROWS = 4;
/** The page around an event ends with a few newer ones. */
const beforeOf = (number: number): number => number + FUTURE_ROWS + 1;

/** The page of the ledger around the chosen event. Choosing one of its rows leaves the page as it is. */
function useLedgerPage({ number, choose }: AsOf, filters: LedgerFilters, lastNumber: number) {
  const filterKey = JSON.stringify(filters);
  const [shown, setShown] = useState({ number, filterKey, before: beforeOf(number) });
  const [turned, setTurned] = useState<number | null>(null);
  const query = useLedger(shown.before, filters);
  if (shown.filterKey !== filterKey || shown.number !== number) {
    const events = query.isPlaceholderData || number === turned ? [] : (query.data?.events ?? []);
    const stays = shown.filterKey === filterKey && events.some((event) => event.number === number);
    setShown({ number, filterKey, before: stays ? shown.before : beforeOf(number) });
  }
  /** Chooses an event, and shows the page around it even if the event is on this one. */
  const turnTo = (next: number) => {
    setTurned(next);
    choose(next === lastNumber ? null : next);
  };
  return { query, before: shown.before, turnTo };
}

const queryOf = ({ find, type, round }: Filters): LedgerFilters =>
  withoutEmpty({ find: find.trim(), type, roundId: wholeFromInput(round) ?? '' });

/** A changed filter moves the chosen event to the newest match. The browser's back and forward restore the filters. */
function FilterFields({ filters, asOf }: { filters: Filters; asOf: AsOf }) {
  const inAddress = JSON.stringify(filters);
  const { values, change, bind } = useFields(filters);
  const settled = JSON.stringify(useDebounced(values));
  const applied = useRef(inAddress);
  const apply = useEffectEvent(async (text: string) => {
    const next = JSON.parse(text) as Filters;
    const wanted = queryOf(next);
    const found = Object.keys(wanted).length === 0 ? null : await newestMatch(wanted).catch(() => null);
    // Another filter was chosen meanwhile.
    if (applied.current !== text) return;
    const stays = asOf.isNow ? null : asOf.number;
    asOf.choose(found ?? stays, next);
  });
  const restore = useEffectEvent((text: string) => change(JSON.parse(text)));
  useEffect(() => {
    if (settled === applied.current) return;
    applied.current = settled;
    void apply(settled);
  }, [settled]);
  useEffect(() => {
    if (inAddress === applied.current) return;
    applied.current = inAddress;
    restore(inAddress);
  }, [inAddress]);
  const isRound = values.round.trim() === '' || wholeFromInput(values.round) !== null;
  return (
    <search className="filters" aria-label="Which events">
      <Field
        label="Find an id, gamer or hash"
        type="search"
        spellCheck={false}
        autoCapitalize="off"
        maxLength={QUERY_MAX_LENGTH}
        placeholder="nova_kid, 184219, 41d7…"
        {...bind('find')}
      />
      <TypeField value={values.type} onChange={(type) => change({ type })} />
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

function TypeField({ value, onChange }: { value: string; onChange: (type: string) => void }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Event</label>
      <select id={id} className="input" value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">All events</option>
        {Object.entries(LEDGER_EVENT_GROUPS).map(([group, types]) => (
          <optgroup key={group} label={group}>
            {types.map((type) => (
              <option key={type} value={type}>{`${typeText(type)} (${type})`}</option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
}

interface LedgerTableProps {
  events: readonly AuditLine[];
  number: number;
  onChoose: (number: number) => void;
}

const HEADINGS = ['No.', 'Event', 'Gamer', 'What it says', 'Moves'];

function LedgerTable({ events, number, onChoose }: LedgerTableProps) {
  const past = events.findIndex((event) => event.number <= number);
  const here = past === -1 ? events.length : past;
  const nowMs = useServerNow(60_000);
  return (
    <Table className="tbl tbl--brief ledger" caption="Events, newest first" columns={HEADINGS} right={1}>
      {events.map((event, index) => (
        <Fragment key={event.number}>
          {index === here && <YouAreHere />}
          <LedgerRow event={event} number={number} nowMs={nowMs} onChoose={onChoose} />
        </Fragment>
      ))}
      {here === events.length && <YouAreHere />}
    </Table>
  );
}

const YouAreHere = () => (
  <tr className="here">
    <td colSpan={5}>
      <span>you are here</span>
    </td>
  </tr>
);

type LedgerRowProps = { event: AuditLine; nowMs: number } & Pick<LedgerTableProps, 'number' | 'onChoose'>;

function LedgerRow({ event, number, nowMs, onChoose }: LedgerRowProps) {
  const isChosen = event.number === number;
  const isFuture = event.number > number;
  return (
    <tr
      className={`${isChosen ? 'sel' : ''} ${isFuture ? 'future' : ''}`}
      aria-current={isChosen ? 'true' : undefined}
      onClick={() => onChoose(event.number)}
    >
      <td className="cell-note pos num">
        {numberText(event.number)} <br />
        <span className="dim t12">{exactTimeText(event.atMs, nowMs)}</span>
        {isFuture && <span className="sr">, had not happened yet</span>}
      </td>
      <td className="cell-name">
        <button type="button" className="rowbtn" aria-label={`${event.type}, event ${numberText(event.number)}`}>
          {typeText(event.type)}
          <span className="dim t12 block">{event.type}</span>
        </button>
      </td>
      <td className="cell-balance">{event.gamer === null ? '' : <b>{event.gamer.gamerTag}</b>}</td>
      <td className="cell-context">{event.summary}</td>
      <td className="cell-amount r num">
        {event.movesCents === 0 ? <span className="faint">nothing</span> : formatCents(event.movesCents)}
      </td>
    </tr>
  );
}
