import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { GameState } from '../../../contracts/http/game.js';
import type { GamerId } from '../../../contracts/ids.js';
import { MAX_BOARD_PURCHASES } from '../../../contracts/limits.js';
import { StageBanners } from '../features/game/stage-banners.js';
import { BUY_KEY } from '../features/purchases/use-purchase.js';
import { NewWins } from '../features/winnings/new-wins.js';
import { useRefreshOn } from '../shared/api/api-client.js';
import { useBoard } from '../shared/board.js';
import { counted, formatCents } from '../shared/format.js';
import { ledgerMemory } from '../shared/ledger/ledger-memory.js';
import { isDown, useConnection } from '../shared/live/live-events.js';
import { useMyId } from '../shared/session.queries.js';
import { toast } from '../shared/ui/toasts.js';
import { WINNERS_KEY } from '../shared/winners.js';

export default function GameNews() {
  // The winners are fetched again after a reconnect, because messages may be missing.
  useRefreshOn(WINNERS_KEY, 'round:ended', 'socket-connected');
  useMissedNotice();
  const isOnStage = useLocation({ select: ({ pathname }) => pathname === '/' });
  return (
    <>
      <NewWins />
      <StageBanners isOnStage={isOnStage} />
    </>
  );
}

/** Shows a toast about the time without a connection, unless this page waits for the outcome of its own purchase. */
function useMissedNotice(): void {
  const client = useQueryClient();
  const { data: board, isFetching } = useBoard();
  const myId = useMyId();
  const isLost = isDown(useConnection());
  const lost = useRef<GameState | undefined>(undefined);
  useEffect(() => {
    if (isLost) {
      lost.current ??= board;
      return;
    }
    if (isFetching || board === undefined || lost.current === undefined) return;
    const text = missedText(lost.current, board, myId);
    lost.current = undefined;
    if (text !== null && client.isMutating({ mutationKey: BUY_KEY }) === 0)
      toast({ title: 'While you were offline', text });
  }, [isLost, isFetching, board, client, myId]);
}

function missedText(before: GameState, now: GameState, myId: GamerId): string | null {
  const { roundId, purchases, lastResult, lastBuyerId, lastBuyerGamerTag } = now;
  if (lastResult && lastResult.roundId !== before.lastResult?.roundId) {
    const { winner, jackpotCents } = lastResult;
    if (winner === null) return `Round ${lastResult.roundId} ended, and nobody had bought.`;
    // The gamer's own win is announced on every page.
    if (winner.id === myId) return null;
    return `${winner.gamerTag} won ${formatCents(jackpotCents)} in round ${lastResult.roundId}.`;
  }
  if (before.roundId !== null && now.resetRoundId === before.roundId) return `Round ${before.roundId} was reset.`;
  if (roundId !== before.roundId) return roundId === null ? null : `Round ${roundId} has begun.`;
  const known = new Set(before.purchases.map(({ purchaseId }) => purchaseId));
  const missed = purchases.map(({ purchaseId }) => purchaseId).filter((id) => !known.has(id));
  const isReceived = ledgerMemory.get().receipts.some(({ receipt }) => missed.includes(receipt.purchaseId));
  if (missed.length === 0 || isReceived) return null;
  const orMore = missed.length === MAX_BOARD_PURCHASES ? ' or more' : '';
  const lastBuyer = lastBuyerId === myId ? 'You are' : `${lastBuyerGamerTag} is`;
  return `${counted(missed.length, 'purchase')}${orMore} in round ${roundId}. ${lastBuyer} the last buyer.`;
}
