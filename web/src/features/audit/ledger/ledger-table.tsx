import { Fragment } from 'react';
import type { AuditLine } from '../../../../../contracts/http/audit.js';
import { formatCents } from '../../../../../contracts/money.js';
import { millisecondText, numberText } from '../audit-words.js';
import { hereAbove } from './ledger-page.js';

interface LedgerTableProps {
  events: readonly AuditLine[];
  /** Of the chosen moment. */
  number: number;
  edges: { isFirst: boolean; isLast: boolean };
  onChoose: (number: number) => void;
}

export function LedgerTable({ events, number, edges, onChoose }: LedgerTableProps) {
  const here = hereAbove(number, events, edges);
  return (
    <table className="tbl tbl--brief ledger">
      <caption className="sr">Events, newest first</caption>
      <thead>
        <tr>
          <th scope="col">No.</th>
          <th scope="col">Event</th>
          <th scope="col">Gamer</th>
          <th scope="col">What it says</th>
          <th scope="col" className="r">
            Moves
          </th>
        </tr>
      </thead>
      <tbody>
        {events.map((event, place) => (
          <Fragment key={event.number}>
            {place === here && <Here />}
            <LedgerRow event={event} number={number} onChoose={onChoose} />
          </Fragment>
        ))}
        {here === events.length && <Here />}
      </tbody>
    </table>
  );
}

function Here() {
  return (
    <tr className="here">
      <td colSpan={5}>
        <span>you are here</span>
      </td>
    </tr>
  );
}

function LedgerRow({ event, number, onChoose }: { event: AuditLine } & Pick<LedgerTableProps, 'number' | 'onChoose'>) {
  const isChosen = event.number === number;
  const isFuture = event.number > number;
  return (
    <tr
      className={isChosen ? 'sel' : isFuture ? 'future' : undefined}
      aria-current={isChosen ? 'true' : undefined}
      onClick={() => onChoose(event.number)}
    >
      <td className="e pos num">
        {numberText(event.number)} <br />
        <span className="dim t12">{millisecondText(event.atEpochMs)}</span>
        {isFuture && <span className="sr">, had not happened yet</span>}
      </td>
      <td className="a">
        <button type="button" className="rowbtn" aria-label={`${event.type}, event ${numberText(event.number)}`}>
          {event.type}
        </button>
      </td>
      <td className="d">{event.gamer === null ? '' : <b>{event.gamer.gamerTag}</b>}</td>
      <td className="c">{event.says}</td>
      <td className="b r num">
        {event.movesCents === 0 ? <span className="faint">nothing</span> : formatCents(event.movesCents)}
      </td>
    </tr>
  );
}
