import type { GameState } from '../../../../contracts/http/game.js';
import type { GamerId, RoundId } from '../../../../contracts/ids.js';
import { MAX_TOKENS_PER_PURCHASE } from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { quantityRefusal } from '../../../../contracts/validation.js';
import { commaProblem, counted, formatCents, wholeFromInput } from '../format.js';
import { createStore } from '../store.js';

/** Above this many tokens the number is shown too. */
export const MAX_UNCOUNTED_LAMPS = 5;

export function orderOf(text: string, priceCents: number, balanceCents: number | null) {
  const quantity = wholeFromInput(text);
  const costCents = (quantity ?? 0) * priceCents;
  const code = quantityRefusal(quantity);
  if (code !== null)
    return { quantity, costCents, problem: commaProblem(text) ?? refusalText({ code }), missingCents: 0 };
  const missingCents = balanceCents === null ? 0 : Math.max(0, costCents - balanceCents);
  const problem = missingCents > 0 ? `Insufficient balance. You need ${formatCents(missingCents)} more.` : null;
  return { quantity, costCents, problem, missingCents };
}

export const affordableTokens = (balanceCents: number, priceCents: number): number =>
  Math.min(Math.floor(balanceCents / priceCents), MAX_TOKENS_PER_PURCHASE);

const CLOSE_CALL_MS = 10_000;

/** "239 ms" or "1.4 seconds"; null for no close call. */
export function closeCallText(ms: number): string | null {
  if (ms <= 0 || ms > CLOSE_CALL_MS) return null;
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} seconds`;
}

/** Whether somebody bought after the gamer's last purchase of the running round. */
export const wasOvertaken = ({ lastBuyerId, purchases }: GameState, myId: GamerId | null | undefined): boolean =>
  lastBuyerId !== myId && purchases.some(({ buyerId }) => buyerId === myId);

/** Names the winner who overtook the gamer's last purchase; null without a lost purchase on the board. */
export function overtakenText({ purchases, lastResult }: GameState, myId: GamerId): string | null {
  const own = purchases.find(({ buyerId }) => buyerId === myId);
  const winner = lastResult?.winner;
  if (!own || !winner || winner.id === myId) return null;
  return `Your last purchase, ${counted(own.quantity, 'token')}, was overtaken by ${winner.gamerTag}.`;
}

/** The last purchase that arrived after zero: its round, and a sentence about it. */
export const latePurchase = createStore<{ roundId: RoundId | null; text: string } | null>(null);
