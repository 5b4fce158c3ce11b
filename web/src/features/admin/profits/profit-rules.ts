import { type CryptoType, looksLikeWalletAddress } from '../../../../../contracts/crypto.js';
import type { WithdrawRequest } from '../../../../../contracts/http/withdrawals.js';
import { MIN_WITHDRAWAL_CENTS } from '../../../../../contracts/limits.js';
import { type Refusal, refusalText } from '../../../../../contracts/messages.js';
import { centsFromInput } from '../../../shared/format/money-input.js';

export interface ProfitProblem {
  title: 'Invalid Form' | 'Minimum Amount Required' | 'Insufficient Funds';
  text: string;
  field: 'coin' | 'address' | 'amount';
}

/** A profit withdrawal as filled in, the amount in dollars, against the profit available (specification §5). */
export function profitOrderOf(
  form: { coin: CryptoType | null; address: string; amount: string },
  availableCents: number,
): { order: WithdrawRequest } | { problem: ProfitProblem } {
  const walletAddress = form.address.trim();
  if (form.coin === null) return refused('Invalid Form', 'coin', { code: 'profit-fields-required' });
  if (walletAddress === '') return refused('Invalid Form', 'address', { code: 'profit-fields-required' });
  if (!looksLikeWalletAddress(form.coin, walletAddress)) {
    return refused('Invalid Form', 'address', {
      code: 'invalid-wallet-address',
      parameters: { cryptoType: form.coin },
    });
  }
  const amountCents = centsFromInput(form.amount);
  if (amountCents === null || amountCents < MIN_WITHDRAWAL_CENTS)
    return refused('Minimum Amount Required', 'amount', { code: 'withdrawal-below-minimum' });
  if (amountCents > availableCents)
    return refused('Insufficient Funds', 'amount', {
      code: 'profit-exceeds-available',
      parameters: { availableCents },
    });
  return { order: { cryptoType: form.coin, walletAddress, amountCents } };
}

const refused = (title: ProfitProblem['title'], field: ProfitProblem['field'], refusal: Refusal) => ({
  problem: { title, field, text: refusalText(refusal) },
});
