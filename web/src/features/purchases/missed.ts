import { useEffect, useRef } from 'react';
import type { GameState } from '../../../../contracts/http/game.js';
import { BOARD_PURCHASES } from '../../../../contracts/limits.js';
import { useBoard } from '../../shared/board.js';
import { counted, formatCents } from '../../shared/format.js';
import { isDown, useConnection } from '../../shared/live/live-events.js';
import { toast } from '../../shared/ui/toasts.js';

/** Tells in one line what happened while the connection was lost. */
export function MissedNotice() {
  const { data: board, isFetching } = useBoard();
  const isLost = isDown(useConnection());
  const lost = useRef<GameState | undefined>(undefined);
  useEffect(() => {
    if (isLost) {
      lost.current ??= board;
      return;
    }
    if (isFetching || board === undefined || lost.current === undefined) return;
    const text = missedText(lost.current, board);
    lost.current = undefined;
    if (text !== null) toast({ title: 'While you were offline', text });
  }, [isLost, isFetching, board]);
  return null;
}

/** What happened between two boards, in one line; null when it was nothing that a buyer misses. */
function missedText(before: GameState, now: GameState): string | null {
  const { roundId, purchases, lastResult, lastBuyerGamerTag } = now;
  if (lastResult && lastResult.roundId === before.roundId && before.gameState === 'live')
    return lastResult.winner === null
      ? `Round ${lastResult.roundId} ended, and nobody had bought.`
      : `${lastResult.winner.gamerTag} won ${formatCents(lastResult.jackpotCents)} in round ${lastResult.roundId}.`;
  if (before.roundId !== null && now.resetRoundId === before.roundId) return `Round ${before.roundId} was reset.`;
  if (roundId !== before.roundId) return roundId === null ? null : `Round ${roundId} has begun.`;
  const known = new Set(before.purchases.map(({ purchaseId }) => purchaseId));
  const missed = purchases.filter(({ purchaseId }) => !known.has(purchaseId)).length;
  const orMore = missed === BOARD_PURCHASES ? ' or more' : '';
  return missed === 0 ? null : `${counted(missed, 'purchase')}${orMore}. ${lastBuyerGamerTag} is the last buyer.`;
}
