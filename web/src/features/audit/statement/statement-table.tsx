import type { StatementLine, StatementResponse } from '../../../../../contracts/http/audit.js';
import { startOfNewYorkDay } from '../../../../../contracts/new-york.js';
import { momentText, shortDayText } from '../../../shared/format/time-text.js';
import { amountText, numberText, signedText } from '../audit-words.js';

interface StatementTableProps {
  statement: StatementResponse;
  onChoose: (number: number) => void;
}

export function StatementTable({ statement, onChoose }: StatementTableProps) {
  const { account, from, openingCents, lines, closingCents } = statement;
  return (
    <table className="tbl tbl--brief">
      <caption className="sr">Statement</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Event</th>
          <th scope="col">What</th>
          <th scope="col" className="r">
            Amount
          </th>
          <th scope="col" className="r">
            Balance
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td className="c num">{shortDayText(startOfNewYorkDay(from))}</td>
          <td className="e" />
          <td className="a">Opening balance</td>
          <td className="b r" />
          <td className="d r num">{amountText(openingCents)}</td>
        </tr>
        {lines.map((line) => (
          <Line key={line.number} line={line} isWinnings={account === 'winnings'} onChoose={onChoose} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td className="a" colSpan={4}>
            Closing balance
          </td>
          <td className="b r num">{amountText(closingCents)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

interface LineProps {
  line: StatementLine;
  isWinnings: boolean;
  onChoose: (number: number) => void;
}

function Line({ line, isWinnings, onChoose }: LineProps) {
  const { number, atEpochMs, events, what, cents, balanceCents } = line;
  return (
    <tr>
      <td className="c num">{momentText(atEpochMs)}</td>
      <td className="e num">
        <button
          type="button"
          className="linkish"
          aria-label={`Event ${numberText(number)}`}
          onClick={() => onChoose(number)}
        >
          {numberText(number)}
        </button>
        {events > 1 && <span className="dim"> and {numberText(events - 1)} before</span>}
      </td>
      <td className="a">{what}</td>
      <td className={`b r num ${isWinnings && cents > 0 ? 'won' : ''}`}>{signedText(cents)}</td>
      <td className="d r num">{amountText(balanceCents)}</td>
    </tr>
  );
}
