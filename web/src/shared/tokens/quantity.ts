import { MAX_TOKENS_PER_PURCHASE, TOKEN_PRICE_CENTS } from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/messages.js';
import { formatCents } from '../../../../contracts/money.js';
import { wholeFromInput } from '../format/money-input.js';

export interface Order {
  /** Null while the field holds no whole number of at least 1. */
  quantity: number | null;
  costCents: number;
  /** What to say beside the field, or null. */
  problem: string | null;
  missingCents: number;
}

/** What the typed quantity comes to, against the balance (null: not known yet). */
export function orderOf(text: string, balanceCents: number | null): Order {
  const quantity = wholeFromInput(text);
  if (quantity === null)
    return { quantity, costCents: 0, problem: refusalText({ code: 'invalid-quantity' }), missingCents: 0 };
  const costCents = quantity * TOKEN_PRICE_CENTS;
  if (quantity > MAX_TOKENS_PER_PURCHASE)
    return { quantity, costCents, problem: refusalText({ code: 'too-many-tokens' }), missingCents: 0 };
  const missingCents = balanceCents === null ? 0 : Math.max(0, costCents - balanceCents);
  const problem = missingCents > 0 ? `Insufficient balance. You need ${formatCents(missingCents)} more.` : null;
  return { quantity, costCents, problem, missingCents };
}

/** As many tokens as the balance pays for, and one purchase takes. */
export const affordable = (balanceCents: number): number =>
  Math.min(Math.floor(balanceCents / TOKEN_PRICE_CENTS), MAX_TOKENS_PER_PURCHASE);

/** A receipt this close to zero says how close it was. */
const CLOSE_CALL_MS = 10_000;

/** "1.4 seconds before zero", or null when it was not close. `deadlineEpochMs` is the end the purchase had to beat. */
export function closeCallText(receivedAtEpochMs: number, deadlineEpochMs: number): string | null {
  const marginMs = deadlineEpochMs - receivedAtEpochMs;
  if (marginMs <= 0 || marginMs > CLOSE_CALL_MS) return null;
  return marginMs < 1_000
    ? `${marginMs} milliseconds before zero`
    : `${(marginMs / 1000).toFixed(1)} seconds before zero`;
}
