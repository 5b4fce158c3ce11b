import type { GameState, GameTerms } from '../../../../contracts/http/game.js';
import type { GamerId, RoundId } from '../../../../contracts/ids.js';
import { TERMS_OF_NEW_ROUNDS } from '../../../../contracts/limits.js';
import type { Game } from '../../../../domain/game.js';

/** Whole seconds until `endsAtEpochMs`, rounded up; 0 when it is past or null. */
export const secondsLeft = (endsAtEpochMs: number | null, nowMs: number): number =>
  endsAtEpochMs === null ? 0 : Math.max(0, Math.ceil((endsAtEpochMs - nowMs) / 1000));

/** The game in the form of `GET /api/state` and `state:update`. */
export function gameStateOf(game: Game, tagOf: (gamerId: GamerId) => string, nowMs: number): GameState {
  const last = game.purchases[0];
  const terms = gameTermsOf(game);
  return {
    gameState: game.phase,
    isActive: game.phase === 'live' && game.endsAtEpochMs !== null && nowMs < game.endsAtEpochMs,
    countdownSecondsRemaining: secondsLeft(game.endsAtEpochMs, nowMs),
    roundId: game.roundId,
    endsAtEpochMs: game.endsAtEpochMs,
    jackpotCents: game.jackpotCents,
    lastBuyerId: last?.buyerId ?? null,
    lastBuyerGamerTag: last ? tagOf(last.buyerId) : null,
    purchases: game.purchases.map((purchase) => ({
      purchaseId: purchase.purchaseId,
      buyerId: purchase.buyerId,
      buyerGamerTag: tagOf(purchase.buyerId),
      ts: purchase.atMs,
      quantity: purchase.quantity,
      addedSeconds: purchase.addedSeconds,
      newJackpot: purchase.jackpotCents,
    })),
    serverTimeEpochMs: nowMs,
    version: game.version,
    timers: { ...game.timers, tokenExtensionSeconds: terms.tokenExtensionSeconds },
    terms,
    resumed: game.resumed,
    plan: game.plan,
    lateSeconds: game.lateSeconds,
    resetRoundId: resetRoundOf(game),
    lastResult: resultOf(game, tagOf),
  };
}

/** The terms of the open round, else those of the next one. */
export function gameTermsOf({ phase, terms, timers, roundExtensionSeconds }: Game): GameTerms {
  const isOpen = phase === 'pregame' || phase === 'live';
  const { tokenPriceCents, jackpotShareCents, houseShareCents } = (isOpen && terms) || TERMS_OF_NEW_ROUNDS;
  const tokenExtensionSeconds = isOpen ? roundExtensionSeconds : timers.tokenExtensionSeconds;
  return { tokenPriceCents, jackpotShareCents, houseShareCents, tokenExtensionSeconds };
}

export function gamersOn(game: Game): GamerId[] {
  const winnerId = game.lastResult?.winnerId;
  return [...game.purchases.map(({ buyerId }) => buyerId), ...(winnerId ? [winnerId] : [])];
}

/** While idle, a newest round without a result was reset. */
const resetRoundOf = ({ phase, lastRoundId, lastResult }: Game): RoundId | null =>
  phase === 'idle' && lastRoundId > (lastResult?.roundId ?? 0) ? lastRoundId : null;

function resultOf({ lastResult }: Game, tagOf: (gamerId: GamerId) => string): GameState['lastResult'] {
  if (!lastResult) return null;
  const { winnerId, ...result } = lastResult;
  return { ...result, winner: winnerId === null ? null : { id: winnerId, gamerTag: tagOf(winnerId) } };
}
