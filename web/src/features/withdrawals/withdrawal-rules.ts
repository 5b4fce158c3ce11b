import { type CryptoType, looksLikeWalletAddress } from '../../../../contracts/crypto.js';
import type { CryptoWallets, WithdrawRequest } from '../../../../contracts/http/withdrawals.js';
import { MIN_WITHDRAWAL_CENTS } from '../../../../contracts/limits.js';
import { type Refusal, refusalText } from '../../../../contracts/messages.js';
import { centsFromInput } from '../../shared/format/money-input.js';

export interface WithdrawalDraft {
  coin: CryptoType | null;
  address: string;
  /** Dollars, as typed. */
  amount: string;
}

export type WithdrawalProblems = Partial<Record<keyof WithdrawalDraft, string>>;

export type WithdrawalOrder =
  | { request: WithdrawRequest }
  | {
      problems: WithdrawalProblems;
      title: 'Invalid Form' | 'Minimum Amount Required' | 'Insufficient Funds';
      text: string;
    };

/** A withdrawal as typed, against the winnings (specification §5). The server looks at the address's checksum. */
export function withdrawalOf({ coin, address, amount }: WithdrawalDraft, winningsCents: number): WithdrawalOrder {
  const required = refusalText({ code: 'withdrawal-fields-required' });
  const missing: WithdrawalProblems = {
    ...(coin === null && { coin: required }),
    ...(address.trim() === '' && { address: required }),
    ...(amount.trim() === '' && { amount: required }),
  };
  if (coin === null || Object.keys(missing).length > 0)
    return { problems: missing, title: 'Invalid Form', text: required };
  const amountCents = centsFromInput(amount);
  if (amountCents === null || amountCents <= 0)
    return refused('amount', { code: 'invalid-withdrawal-amount' }, 'Invalid Form');
  if (amountCents < MIN_WITHDRAWAL_CENTS)
    return refused('amount', { code: 'withdrawal-below-minimum' }, 'Minimum Amount Required');
  if (amountCents > winningsCents)
    return refused('amount', { code: 'withdrawal-exceeds-winnings' }, 'Insufficient Funds');
  const walletAddress = address.trim();
  if (!looksLikeWalletAddress(coin, walletAddress))
    return refused('address', { code: 'invalid-wallet-address', parameters: { cryptoType: coin } }, 'Invalid Form');
  return { request: { cryptoType: coin, walletAddress, amountCents } };
}

function refused(
  field: keyof WithdrawalDraft,
  refusal: Refusal,
  title: 'Invalid Form' | 'Minimum Amount Required' | 'Insufficient Funds',
): WithdrawalOrder {
  const text = refusalText(refusal);
  return { problems: { [field]: text }, title, text };
}

/** Which field a refusal of the server stands beside. */
export const fieldOfRefusal = (reason: string): keyof WithdrawalDraft =>
  / address$/.test(reason) ? 'address' : 'amount';

/** A wallet is saved when it is new or changed, and the gamer wants it. */
export const isNewWallet = (wallets: CryptoWallets, coin: CryptoType, address: string): boolean =>
  wallets[coin] !== address;
