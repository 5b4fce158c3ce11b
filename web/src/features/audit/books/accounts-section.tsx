import type { AuditMoment } from '../../../../../contracts/http/audit.js';
import { Act } from '../../../shared/ui/act.js';
import { amountText, bookAccountName } from '../audit-words.js';
import { CheckLine } from '../check-line.js';

/** All accounts after the chosen event, those of the gamers taken together. */
export function AccountsSection({ moment }: { moment: AuditMoment }) {
  return (
    <Act
      title="Every account at that moment"
      lead={<p>Money only moves between accounts, so the column must add up to nothing.</p>}
    >
      <table className="tbl">
        <caption className="sr">Every account at that moment</caption>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col" className="r">
              Dollars
            </th>
          </tr>
        </thead>
        <tbody>
          {moment.accounts.map(({ account, cents }) => (
            <tr key={account}>
              <td>{bookAccountName(account)}</td>
              <td className={`r num ${account === 'gamers:winnings' ? 'won' : ''}`}>{amountText(cents)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>Sum</td>
            <td className={`r num ${moment.sumCents === 0 ? '' : 'bad'}`}>{amountText(moment.sumCents)}</td>
          </tr>
        </tfoot>
      </table>
      {moment.sumCents !== 0 && (
        <CheckLine holds={false}>
          <b>The accounts do NOT add up to nothing.</b> Money came from nowhere, or went there.
        </CheckLine>
      )}
    </Act>
  );
}
