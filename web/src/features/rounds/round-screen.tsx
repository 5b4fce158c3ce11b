import { keepPreviousData } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { RoundPurchase, RoundResponse } from '../../../../contracts/http/rounds.js';
import { LIST_PAGE_SIZE } from '../../../../contracts/limits.js';
import { leftText } from '../../../../contracts/purchase-outcome.js';
import { codeOf, useApi } from '../../shared/api/api-client.js';
import { addedText, counted, dateTimeText, dayText, formatCents, inNewYork, numberText } from '../../shared/format.js';
import { useSession } from '../../shared/session.queries.js';
import { Act } from '../../shared/ui/act.js';
import { Button, Pairs, VerifyLink } from '../../shared/ui/controls.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { Table } from '../../shared/ui/table.js';

const secondText = inNewYork({ hour: 'numeric', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 });

export default function RoundScreen() {
  const { roundId = '' } = useParams({ strict: false });
  return <Round key={roundId} roundId={roundId} />;
}

function Round({ roundId }: { roundId: string }) {
  const [page, setPage] = useState(1);
  const key = ['/api', 'rounds', roundId, { page, pageSize: LIST_PAGE_SIZE }] as const;
  const query = useApi<RoundResponse>(key, {
    placeholderData: keepPreviousData,
    // The round may be going on.
    staleTime: 0,
  });
  if (codeOf(query.error) === 'not-found') return <p className="empty">There is no round with this number.</p>;
  const pages = Math.ceil((query.data?.purchaseCount ?? 0) / LIST_PAGE_SIZE);
  return (
    <QueryResult query={query} noun="the round" rows={8}>
      {(round) => (
        <div>
          <Outcome round={round} />
          <Act title="Purchases" lead="Newest first. The last one before zero wins.">
            <Purchases round={round} />
            <LateText {...round.late} />
            {pages > 1 && (
              <nav className="actions mt-4" aria-label="Pages of purchases">
                <Button kind="line sm" text="Newer" disabled={page === 1} onClick={() => setPage(page - 1)} />
                <span className="t14 dim num self-center">{`Page ${numberText(page)} of ${numberText(pages)}`}</span>
                <Button kind="line sm" text="Older" disabled={page >= pages} onClick={() => setPage(page + 1)} />
              </nav>
            )}
          </Act>
        </div>
      )}
    </QueryResult>
  );
}

const timeText = (atMs: number): string => `${dayText(atMs)}, ${secondText(atMs)}`;

const JACKPOTS: Record<RoundResponse['state'], string> = {
  open: 'Jackpot so far',
  won: 'Jackpot paid',
  unsold: 'Jackpot carried over',
  reset: 'Jackpot carried over',
};

function Outcome({ round }: { round: RoundResponse }) {
  const { roundId, state, winner, jackpotCents, carriedCents, startedAtMs, endedAtMs, purchaseCount } = round;
  const isDecided = state === 'won' || state === 'unsold';
  const proof = <VerifyLink className="linkish t14" search={{ round: `${roundId}` }} text="Check it in the ledger" />;
  return (
    <Act first title={state === 'open' ? 'How it stands' : 'How it ended'} lead={isDecided && proof}>
      <div className="grid max-w-[36rem] gap-4">
        <p>{outcomeText(round)}</p>
        <Pairs
          rows={[
            ['Winner', winner?.gamerTag, 'won'],
            [JACKPOTS[state], formatCents(jackpotCents), state === 'won' ? 'won' : undefined],
            ['Carried over from the round before', formatCents(carriedCents)],
            ['Purchases', numberText(purchaseCount)],
            ['Started', timeText(startedAtMs)],
            ['Ended', endedAtMs !== null && timeText(endedAtMs)],
          ]}
        />
        <p className="t14 dim">Times are New York's.</p>
      </div>
    </Act>
  );
}

function outcomeText({ state, winner, resetReason }: RoundResponse): string {
  switch (state) {
    case 'open':
      return 'This round is not over yet.';
    case 'won':
      return `${winner?.gamerTag} bought last before zero and took the whole jackpot.`;
    case 'unsold':
      return 'Nobody bought a token. The jackpot went into the next round.';
    case 'reset':
      return `The operator reset this round${resetReason ? `: ${resetReason}` : ''}. The jackpot went into the next round.`;
  }
}

const HEADINGS = ['When', 'Buyer', 'Tokens, and what was left', 'Time added', 'Jackpot'];

function Purchases({ round: { state, purchases, winner } }: { round: RoundResponse }) {
  if (purchases.length === 0) return <p className="empty">Nobody bought in this round{state === 'open' && ' yet'}.</p>;
  return (
    <Table caption="Purchases, newest first" columns={HEADINGS} right={2}>
      {purchases.map((purchase) => (
        <Row key={purchase.purchaseId} purchase={purchase} isWinning={purchase.purchaseId === winner?.purchaseId} />
      ))}
    </Table>
  );
}

/** "3 purchases came after zero: 12, 41 and 380 ms late." */
function LateText({ count, nearestMs }: RoundResponse['late']) {
  if (count === 0) return null;
  const times = new Intl.ListFormat('en-US').format(nearestMs.map(numberText));
  const which = count > nearestMs.length ? 'The nearest: ' : '';
  return (
    <p className="t14 dim mt-3">
      {`${counted(count, 'purchase')} came after zero and did not count. ${which}${times} ms late.`}
    </p>
  );
}

function Row({ purchase, isWinning }: { purchase: RoundPurchase; isWinning: boolean }) {
  const session = useSession();
  const isMine = session?.id === purchase.buyerId;
  const mayOpen = isMine || session?.role === 'admin' || session?.role === 'auditor';
  return (
    <tr>
      <td className="cell-context num" title={dateTimeText(purchase.ts)}>
        {secondText(purchase.ts)}
      </td>
      <td className="cell-name">
        {purchase.buyerGamerTag}
        {isMine && <span className="you">You</span>}
        {isWinning && <span className="chip chip--won ml-2">Won</span>}
      </td>
      <td className="cell-note num">
        {`${counted(purchase.quantity, 'token')}, ${leftText(purchase.leftMs)}`}
        {mayOpen && <VerifyLink className="underline ml-2" search={{ event: `${purchase.number}` }} text="proof" />}
      </td>
      <td className="cell-amount r num">{addedText(purchase.addedSeconds)}</td>
      <td className="cell-balance r num">{formatCents(purchase.newJackpot)}</td>
    </tr>
  );
}
