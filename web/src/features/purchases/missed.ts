import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { GameState } from '../../../../contracts/http/game.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { BOARD_PURCHASES } from '../../../../contracts/limits.js';
import { useBoard } from '../../shared/board.js';
import { counted, formatCents } from '../../shared/format.js';
import { ledgerMemory } from '../../shared/ledger/ledger-memory.js';
import { isDown, useConnection } from '../../shared/live/live-events.js';
import { useMyId } from '../../shared/session.queries.js';
import { toast } from '../../shared/ui/toasts.js';
import { BUY_KEY } from './use-purchase.js';

/** Tells in one line what happened while the connection was lost. The outcome of a purchase that this page sent is shown instead. */
export function MissedNotice() {
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
  return null;
}

function missedText(before: GameState, now: GameState, myId: GamerId): string | null {
  const { roundId, purchases, lastResult, lastBuyerId, lastBuyerGamerTag } = now;
  if (lastResult && lastResult.roundId !== before.lastResult?.roundId) {
    const { winner, jackpotCents } = lastResult;
    // The gamer's own win is announced on every page.
    if (winner === null || winner.id === myId) return null;
    return `${winner.gamerTag} won ${formatCents(jackpotCents)} in round ${lastResult.roundId}.`;
  }
  if (roundId !== before.roundId) return roundId === null ? null : `Round ${roundId} has begun.`;
  const known = new Set(before.purchases.map(({ purchaseId }) => purchaseId));
  const missed = purchases.map(({ purchaseId }) => purchaseId).filter((id) => !known.has(id));
  const isReceived = ledgerMemory.get().receipts.some(({ receipt }) => missed.includes(receipt.purchaseId));
  if (missed.length === 0 || isReceived) return null;
  const orMore = missed.length === BOARD_PURCHASES ? ' or more' : '';
  const lastBuyer = lastBuyerId === myId ? 'You are' : `${lastBuyerGamerTag} is`;
  return `${counted(missed.length, 'purchase')}${orMore} in round ${roundId}. ${lastBuyer} the last buyer.`;
}
