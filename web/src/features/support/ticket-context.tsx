import type { GamerPurchase, GamerPurchasesResponse } from '../../../../contracts/http/rounds.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { parseSignedRefusal } from '../../../../contracts/transparency/signed-refusal.js';
import { useApi } from '../../shared/api/use-api.js';
import { counted, dateTimeText, leftText } from '../../shared/format.js';
import { Button, VerifyLink } from '../../shared/ui/controls.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { refusalName } from '../receipts/check-refusal.js';

interface Evidence {
  ts: number;
  text: string;
  /** Query of /verify: staff open the proof by it, and the gamer, too. */
  search: Record<string, string>;
}

/** What the ticket's gamer bought lately, each with its proof. @param onCite gets a sentence with a link, for the answer */
export function TicketContext({ gamerId, onCite }: { gamerId: GamerId; onCite: (text: string) => void }) {
  const query = useApi<GamerPurchasesResponse>(['/api', 'admin', 'gamers', gamerId, 'purchases']);
  return (
    <QueryResult query={query} what="purchases of this gamer" rows={3}>
      {(found) => {
        const all = evidenceIn(found);
        if (all.length === 0) return <p className="empty">This gamer has bought nothing, and nothing came too late.</p>;
        return (
          <ul className="rows">
            {all.map(({ ts, text, search }) => (
              <li key={text + ts} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
                <span>
                  {text}
                  <span className="t14 dim block">{dateTimeText(ts)}</span>
                </span>
                <span className="flex gap-4">
                  <VerifyLink target="_blank" search={{ ...search, gamer: gamerId }} text="Proof" />
                  <Button kind="text sm" text="Cite" onClick={() => onCite(`${text}: ${addressOf(search)}`)} />
                </span>
              </li>
            ))}
          </ul>
        );
      }}
    </QueryResult>
  );
}

const addressOf = (search: Record<string, string>): string =>
  `${window.location.origin}/verify?${new URLSearchParams(search)}`;

/** Newest first. */
const evidenceIn = ({ purchases, signedRefusals }: GamerPurchasesResponse): Evidence[] =>
  [...purchases.map(boughtEvidence), ...signedRefusals.map(lateEvidence)].sort((one, other) => other.ts - one.ts);

function boughtEvidence(purchase: GamerPurchase): Evidence {
  const { roundId, quantity, leftMs, number, ts } = purchase;
  const text = `${counted(quantity, 'token')} in round ${roundId}, ${leftText(leftMs)}, ${outcomeText(purchase)}`;
  return { ts, text, search: { event: `${number}` } };
}

function lateEvidence(note: string): Evidence {
  const { late } = parseSignedRefusal(note);
  return { ts: late.receivedAtEpochMs, text: refusalName(late), search: { late: late.commandId } };
}

const outcomeText = ({ overtaken }: GamerPurchase): string =>
  overtaken
    ? `overtaken ${(overtaken.afterMs / 1_000).toFixed(1)} s later by ${overtaken.gamerTag}`
    : 'and nobody bought after it';
