import { DEPOSIT_FEE_PERCENT, MAX_DEPOSIT_DOLLARS, MIN_DEPOSIT_DOLLARS } from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/messages.js';
import { wholeFromInput } from '../../shared/format/money-input.js';

export interface DepositOrder {
  /** Whole dollars; null while the field holds none. */
  dollars: number | null;
  amountCents: number;
  feeCents: number;
  totalCents: number;
  /** What to say beside the field, or null. */
  problem: string | null;
}

/** What a deposit as typed comes to: whole dollars from $7 on, and the fee on top (specification §5). */
export function depositOf(text: string): DepositOrder {
  const dollars = wholeFromInput(text);
  const amountCents = (dollars ?? 0) * 100;
  // Whole dollars: five cents a dollar, nothing to round.
  const feeCents = (dollars ?? 0) * DEPOSIT_FEE_PERCENT;
  return { dollars, amountCents, feeCents, totalCents: amountCents + feeCents, problem: problemOf(dollars) };
}

function problemOf(dollars: number | null): string | null {
  if (dollars === null || dollars < MIN_DEPOSIT_DOLLARS) return refusalText({ code: 'deposit-below-minimum' });
  if (dollars > MAX_DEPOSIT_DOLLARS) return refusalText({ code: 'invalid-deposit-amount' });
  return null;
}

/** What the field holds once it is left: whole dollars, 7 at least. */
export function clampedDeposit(text: string): string {
  const dollars = Number(/^\s*\$?(\d{1,9})(?:\.\d*)?\s*$/.exec(text.replaceAll(',', ''))?.[1] ?? 0);
  return String(Math.min(Math.max(dollars, MIN_DEPOSIT_DOLLARS), MAX_DEPOSIT_DOLLARS));
}
