import { MAX_ADJUSTMENT_CENTS } from '../../../../../contracts/limits.js';
import { refusalText } from '../../../../../contracts/messages.js';
import { formatCents } from '../../../../../contracts/money.js';
import { centsFromInput } from '../../../shared/format/money-input.js';

export interface Delta {
  /** Signed; null when the text is no amount. */
  cents: number | null;
  problem: string | null;
}

/** A signed change of a balance as typed, in dollars. Empty is no change. */
export function deltaOf(text: string, balanceCents: number): Delta {
  if (text.trim() === '') return { cents: 0, problem: null };
  const cents = centsFromInput(text);
  if (cents === null) return { cents, problem: 'Dollars and cents, such as -3.00' };
  if (Math.abs(cents) > MAX_ADJUSTMENT_CENTS)
    return { cents: null, problem: `At most ${formatCents(MAX_ADJUSTMENT_CENTS)} at once` };
  if (balanceCents + cents < 0) return { cents, problem: refusalText({ code: 'adjustment-below-zero' }) };
  return { cents, problem: null };
}

/** "$24.60 to $21.60", or "$24.60 stays". */
export function changeText(balanceCents: number, delta: Delta): string {
  if (delta.cents === null || delta.cents === 0) return `${formatCents(balanceCents)} stays`;
  return `${formatCents(balanceCents)} to ${formatCents(balanceCents + delta.cents)}`;
}
