import { type CryptoType, looksLikeWalletAddress } from '../../../../contracts/crypto.js';
import type { WithdrawRequest } from '../../../../contracts/http/withdrawals.js';
import { type RefusalCode, refusalText } from '../../../../contracts/refusals.js';
import { withdrawalRefusal } from '../../../../contracts/validation.js';
import { centsFromInput } from '../../shared/format.js';
import type { Problems } from '../../shared/ui/controls.js';

export interface WithdrawalDraft {
  coin: CryptoType | null;
  address: string;
  amount: string;
}

type WithdrawalOrder = { request: WithdrawRequest } | { problems: Problems<WithdrawalDraft>; title: string };

const TITLES: Partial<Record<RefusalCode, string>> = {
  'withdrawal-below-minimum': 'Minimum Amount Required',
  'withdrawal-exceeds-winnings': 'Insufficient Funds',
};

/** The request of a typed withdrawal, or its errors (specification §5). The server also checks the address's checksum. */
export function withdrawalOf({ coin, address, amount }: WithdrawalDraft, winningsCents: number): WithdrawalOrder {
  const walletAddress = address.trim();
  const required = refusalText({ code: 'withdrawal-fields-required' });
  const missing: Problems<WithdrawalDraft> = {
    ...(coin === null && { coin: required }),
    ...(walletAddress === '' && { address: required }),
    ...(amount.trim() === '' && { amount: required }),
  };
  if (coin === null || Object.keys(missing).length > 0) return { problems: missing, title: 'Invalid Form' };
  const amountCents = centsFromInput(amount) ?? 0;
  const code = withdrawalRefusal(amountCents) ?? (amountCents > winningsCents ? 'withdrawal-exceeds-winnings' : null);
  if (code !== null) return { problems: { amount: refusalText({ code }) }, title: TITLES[code] ?? 'Invalid Form' };
  if (!looksLikeWalletAddress(coin, walletAddress)) {
    const text = refusalText({ code: 'invalid-wallet-address', parameters: { cryptoType: coin } });
    return { problems: { address: text }, title: 'Invalid Form' };
  }
  return { request: { cryptoType: coin, walletAddress, amountCents } };
}

/** The field that a refusal of the server belongs to. */
export const withdrawalField = (code: RefusalCode | null): keyof WithdrawalDraft =>
  code === 'invalid-wallet-address' ? 'address' : 'amount';
