import type { GamerHistoryResponse } from '../../../../contracts/http/support.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { outcomeText } from '../../../../contracts/purchase-outcome.js';
import { parseSignedRefusal } from '../../../../contracts/transparency/signed-refusal.js';
import { useApi } from '../../shared/api/api-client.js';
import { dateTimeText, formatCents, netText } from '../../shared/format.js';
import { useSession } from '../../shared/session.queries.js';
import { Button } from '../../shared/ui/controls.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { scrollable } from '../../shared/ui/table.js';
import { refusalName, unrecordedNote } from '../receipts/check-proof.js';

interface Evidence {
  /** Null for a payment whose event the audit does not have yet. */
  atMs: number | null;
  text: string;
  path: string;
  end?: { name: string; path: string };
  note?: string | null;
  /** Number of the event; absent where the act has a page of its own. */
  number?: number;
}

/** The gamer's newest actions and payments, with links to their proofs and events. @param onCite gets a sentence with a link, for the answer */
export function TicketContext({ gamerId, onCite }: { gamerId: GamerId; onCite?: (text: string) => void }) {
  const query = useApi<GamerHistoryResponse>(['/api', 'admin', 'gamers', gamerId, 'history']);
  const mayAudit = useSession()?.role === 'admin';
  return (
    <QueryResult query={query} noun="history of this gamer" rows={3}>
      {(history) => {
        const all = evidenceIn(history);
        if (all.length === 0) return <p className="empty">This gamer has bought nothing, and nothing came too late.</p>;
        return (
          <div className="ticket-context" {...scrollable('What this gamer did lately')}>
            <ul className="rows">
              {all.map((one) => (
                <li
                  key={`${one.text} ${one.atMs}`}
                  className="flex flex-wrap items-center justify-between gap-x-4 py-2"
                >
                  <span>
                    {one.text}
                    {one.atMs !== null && <span className="t14 dim block">{dateTimeText(one.atMs)}</span>}
                    {one.note && <span className="t14 dim block">{one.note}</span>}
                  </span>
                  <span className="flex gap-4">
                    {linksTo(one, gamerId, mayAudit).map(({ name, path }) => (
                      <a key={name} className="linkish" href={path} target="_blank" rel="noopener">
                        {name}
                      </a>
                    ))}
                    {onCite && <Button kind="text sm" text="Cite" onClick={() => onCite(citationOf(one))} />}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        );
      }}
    </QueryResult>
  );
}

/** The text with the address of its page, and below it the address of the round's end. */
const citationOf = ({ text, path, end }: Evidence): string =>
  [{ name: text.replace(/\.$/, ''), path }, ...(end ? [end] : [])]
    .map((cited) => `${cited.name}: ${window.location.origin}${cited.path}`)
    .join('\n');

function linksTo({ path, number, end }: Evidence, gamerId: GamerId, mayAudit: boolean) {
  if (path.startsWith('/verify')) return [{ name: 'Proof', path: `${path}&gamer=${gamerId}` }, ...(end ? [end] : [])];
  if (path.startsWith('/rounds')) return [{ name: 'Round', path }];
  return number !== undefined && mayAudit ? [{ name: 'Event', path: `/audit?event=${number}` }] : [];
}

/** Payments that wait for review come first, then the newest evidence. */
function evidenceIn({ movements, paymentsInReview, signedRefusals, payouts }: GamerHistoryResponse): Evidence[] {
  const waiting = paymentsInReview.map(({ paymentId, amountCents, dueCents, message, recorded }) => {
    const due = dueCents === null || dueCents === amountCents ? '' : ` of ${formatCents(dueCents)}`;
    const text = `Payment ${paymentId}: ${formatCents(amountCents)}${due} arrived. ${message}`;
    return { atMs: null, ...recorded, text, path: '/statement' };
  });
  const paid = payouts.map(({ atMs, number, summary }) => {
    return { atMs, number, text: `Withdrawal of ${summary}`, path: '/statement' };
  });
  const refusals = signedRefusals.map((signed) => parseSignedRefusal(signed).late);
  const late = refusals.map((refused) => {
    const path = `/verify?late=${refused.commandId}`;
    const note = unrecordedNote(refused.roundId, refusals);
    return { atMs: refused.receivedAtEpochMs, text: refusalName(refused), path, note };
  });
  const moved = movements.map(({ atMs, number, description, cents, outcome, roundId }) => {
    const path = roundId === null ? '/statement' : `/rounds/${roundId}`;
    const text = `${description}, ${netText(cents)}`;
    if (outcome === null) return { atMs, text, path, number };
    const isReset = outcome.resetReason !== null;
    const end = isReset
      ? { name: 'Record', path: '/record' }
      : { name: 'Round’s end', path: `/verify?round=${roundId}` };
    return { atMs, text: `${text}, ${outcomeText(outcome)}`, path: `/verify?event=${number}`, end };
  });
  return [...waiting, ...[...late, ...paid, ...moved].sort((one, other) => other.atMs - one.atMs)];
}
