import type { GamerHistoryResponse } from '../../../../contracts/http/support.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { outcomeText } from '../../../../contracts/purchase-outcome.js';
import { parseSignedRefusal } from '../../../../contracts/transparency/signed-refusal.js';
import { useApi } from '../../shared/api/use-api.js';
import { dateTimeText, formatCents, netText } from '../../shared/format.js';
import { useSession } from '../../shared/session.queries.js';
import { Button } from '../../shared/ui/controls.js';
import { scrollable } from '../../shared/ui/notice.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { refusalName, unrecordedNote } from '../receipts/check-proof.js';

interface Evidence {
  /** Null for a payment in review: it waits now. */
  atEpochMs: number | null;
  text: string;
  /** The page with its proof, which the gamer opens too. */
  path: string;
  /** Something to know beside it. */
  note?: string | null;
  /** Number of the event, where only the audit has it. */
  number?: number;
}

/** What the ticket's gamer did and was paid lately, each with its proof or event. @param onCite gets a sentence with a link, for the answer */
export function TicketContext({ gamerId, onCite }: { gamerId: GamerId; onCite?: (text: string) => void }) {
  const query = useApi<GamerHistoryResponse>(['/api', 'admin', 'gamers', gamerId, 'history']);
  return (
    <QueryResult query={query} what="history of this gamer" rows={3}>
      {(history) => {
        const all = evidenceIn(history);
        if (all.length === 0) return <p className="empty">This gamer has bought nothing, and nothing came too late.</p>;
        return (
          <div className="ticket-context" {...scrollable('What this gamer did lately')}>
            <ul className="rows">
              {all.map(({ atEpochMs, text, note, ...one }) => (
                <li key={`${text} ${atEpochMs}`} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
                  <span>
                    {text}
                    {atEpochMs !== null && <span className="t14 dim block">{dateTimeText(atEpochMs)}</span>}
                    {note && <span className="t14 dim block">{note}</span>}
                  </span>
                  <span className="flex gap-4">
                    <EvidenceLink {...one} gamerId={gamerId} />
                    {onCite && (
                      <Button
                        kind="text sm"
                        text="Cite"
                        onClick={() => onCite(`${text}: ${window.location.origin}${one.path}`)}
                      />
                    )}
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

function EvidenceLink({ path, number, gamerId }: Pick<Evidence, 'path' | 'number'> & { gamerId: GamerId }) {
  const mayAudit = useSession()?.role === 'admin';
  const link = (text: string, href: string) => (
    <a className="linkish" href={href} target="_blank" rel="noopener">
      {text}
    </a>
  );
  if (path.startsWith('/verify')) return link('Proof', `${path}&gamer=${gamerId}`);
  if (path.startsWith('/rounds')) return link('Round', path);
  return number !== undefined && mayAudit && link('Event', `/audit?event=${number}`);
}

/** What waits first, then the newest first. */
function evidenceIn({ movements, paymentsInReview, signedRefusals }: GamerHistoryResponse): Evidence[] {
  const waiting = paymentsInReview.map(({ paymentId, amountCents, message }) => {
    const text = `Payment ${paymentId} of ${formatCents(amountCents)}: ${message}`;
    return { atEpochMs: null, text, path: '/statement' };
  });
  const refusals = signedRefusals.map((signed) => parseSignedRefusal(signed).late);
  const late = refusals.map((refused) => {
    const path = `/verify?late=${refused.commandId}`;
    const note = unrecordedNote(refused.roundId, refusals);
    return { atEpochMs: refused.receivedAtEpochMs, text: refusalName(refused), path, note };
  });
  const moved = movements.map(({ atEpochMs, number, what, cents, outcome, roundId }) => {
    const path = roundId === null ? '/statement' : `/rounds/${roundId}`;
    const text = `${what}, ${netText(cents)}`;
    if (outcome === null) return { atEpochMs, text, path, number };
    return { atEpochMs, text: `${text}, ${outcomeText(outcome)}`, path: `/verify?event=${number}` };
  });
  return [...waiting, ...[...late, ...moved].sort((one, other) => other.atEpochMs - one.atEpochMs)];
}
