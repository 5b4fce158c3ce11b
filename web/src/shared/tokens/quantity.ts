import { MAX_TOKENS_PER_PURCHASE } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { quantityRefusal } from '../../../../contracts/validation.js';
import { tenthsText, wholeFromInput } from '../format.js';

interface Order {
  quantity: number | null;
  costCents: number;
  problem: string | null;
  missingCents: number;
}

export function orderOf(text: string, priceCents: number, balanceCents: number | null): Order {
  const quantity = wholeFromInput(text);
  const costCents = (quantity ?? 0) * priceCents;
  const code = quantityRefusal(quantity);
  if (code !== null) return { quantity, costCents, problem: refusalText({ code }), missingCents: 0 };
  const missingCents = balanceCents === null ? 0 : Math.max(0, costCents - balanceCents);
  const problem = missingCents > 0 ? `Insufficient balance. You need ${formatCents(missingCents)} more.` : null;
  return { quantity, costCents, problem, missingCents };
}

export const affordable = (balanceCents: number, priceCents: number): number =>
  Math.min(Math.floor(balanceCents / priceCents), MAX_TOKENS_PER_PURCHASE);

export const lastSafeText = (sendingMs: number): string =>
  `about ${tenthsText(Math.max(1, Math.ceil(sendingMs / 100)) * 100)} s before zero`;

const CLOSE_CALL_MS = 10_000;

/** "1.4 seconds before zero", or null above CLOSE_CALL_MS. `deadlineEpochMs` is the round's end before the purchase. */
export function closeCallText(receivedAtEpochMs: number, deadlineEpochMs: number): string | null {
  const marginMs = deadlineEpochMs - receivedAtEpochMs;
  if (marginMs <= 0 || marginMs > CLOSE_CALL_MS) return null;
  return marginMs < 1_000 ? `${marginMs} milliseconds before zero` : `${tenthsText(marginMs)} seconds before zero`;
}
