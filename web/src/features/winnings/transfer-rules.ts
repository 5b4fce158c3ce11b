import { type Refusal, refusalText } from '../../../../contracts/messages.js';
import { centsFromInput } from '../../shared/format/money-input.js';

export type TransferOrder = { amountCents: number } | { problem: string; title: 'Invalid Form' | 'Insufficient Funds' };

/** A transfer as typed, in dollars, against the winnings (specification §5). */
export function transferOf(text: string, winningsCents: number): TransferOrder {
  if (text.trim() === '') return refused({ code: 'transfer-amount-required' });
  const amountCents = centsFromInput(text);
  if (amountCents === null || amountCents <= 0) return refused({ code: 'invalid-transfer-amount' });
  if (amountCents > winningsCents)
    return { ...refused({ code: 'transfer-exceeds-winnings' }), title: 'Insufficient Funds' };
  return { amountCents };
}

const refused = (refusal: Refusal) => ({ problem: refusalText(refusal), title: 'Invalid Form' }) as const;
