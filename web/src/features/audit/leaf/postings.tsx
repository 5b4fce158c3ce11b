import type { AuditPosting } from '../../../../../contracts/http/audit.js';
import { amountText, signedText } from '../audit-words.js';

const isWon = ({ account, cents }: AuditPosting): boolean => cents > 0 && /^gamer:.*:winnings$/.test(account);

/** The double entry of one event: what left an account came into another. */
export function Postings({ of }: { of: readonly AuditPosting[] }) {
  const sumCents = of.reduce((sum, { cents }) => sum + cents, 0);
  return (
    <table className="tbl tbl--post">
      <caption className="sr">Postings</caption>
      <thead className="sr">
        <tr>
          <th scope="col">Account</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {of.map((posting, place) => (
          // Two of one event may be alike.
          // biome-ignore lint/suspicious/noArrayIndexKey: the postings of an event never change
          <tr key={place}>
            <td>
              {posting.name}
              <span className="why">{posting.why}</span>
            </td>
            <td className={`r num ${isWon(posting) ? 'won' : ''}`}>{signedText(posting.cents)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td>Sum</td>
          <td className={`r num ${sumCents === 0 ? '' : 'bad'}`}>{amountText(sumCents)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
