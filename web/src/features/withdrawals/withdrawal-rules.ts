import { type CryptoType, looksLikeWalletAddress } from '../../../../contracts/crypto.js';
import type { ProfitWithdrawal } from '../../../../contracts/http/profits.js';
import type * as http from '../../../../contracts/http/withdrawals.js';
import { paidScript } from '../../../../contracts/paid-script.js';
import { type Refusal, type RefusalCode, refusalText } from '../../../../contracts/refusals.js';
import { withdrawalRefusal } from '../../../../contracts/validation.js';
import { centsFromInput, commaProblem, formatCents } from '../../shared/format.js';
import type { Problems } from '../../shared/ui/controls.js';

export interface WithdrawalDraft {
  coin: CryptoType | null;
  address: string;
  amount: string;
}

type Source = 'winnings' | 'profit';
type ParsedWithdrawal = { request: http.WithdrawRequest } | { problems: Problems<WithdrawalDraft>; title: string };

const TITLES: Partial<Record<RefusalCode, string>> = {
  'withdrawal-below-minimum': 'Minimum Amount Required',
  'withdrawal-exceeds-winnings': 'Insufficient Funds',
  'profit-exceeds-available': 'Insufficient Funds',
};

/** The request of a typed withdrawal, or its errors (specification §5). The server also checks the address's checksum. */
export function withdrawalOf(
  draft: WithdrawalDraft,
  availableCents: number,
  source: Source = 'winnings',
): ParsedWithdrawal {
  const { coin, amount } = draft;
  const walletAddress = draft.address.trim();
  const required = refusalText({ code: source === 'profit' ? 'profit-fields-required' : 'withdrawal-fields-required' });
  const missing: Problems<WithdrawalDraft> = {
    ...(coin === null && { coin: required }),
    ...(walletAddress === '' && { address: required }),
    ...(source === 'winnings' && amount.trim() === '' && { amount: required }),
  };
  if (coin === null || Object.keys(missing).length > 0) return { problems: missing, title: 'Invalid Form' };
  const amountCents = centsFromInput(amount) ?? 0;
  const isAddress = looksLikeWalletAddress(coin, walletAddress);
  const invalidAddress = refusalText({ code: 'invalid-wallet-address', parameters: { cryptoType: coin } });
  const comma = commaProblem(amount);
  const refusal = comma === null ? amountRefusal(amountCents, availableCents, source) : null;
  const amountProblem = comma ?? (refusal && refusalText(refusal));
  if (isAddress && amountProblem === null) return { request: { cryptoType: coin, walletAddress, amountCents } };
  const problems: Problems<WithdrawalDraft> = {
    ...(amountProblem !== null && { amount: amountProblem }),
    ...(!isAddress && { address: invalidAddress }),
  };
  return { problems, title: (refusal && TITLES[refusal.code]) ?? 'Invalid Form' };
}

function amountRefusal(amountCents: number, availableCents: number, source: Source): Refusal | null {
  const code = withdrawalRefusal(amountCents);
  if (code !== null) return { code: source === 'profit' ? 'withdrawal-below-minimum' : code };
  if (amountCents <= availableCents) return null;
  return source === 'profit'
    ? { code: 'profit-exceeds-available', parameters: { availableCents } }
    : { code: 'withdrawal-exceeds-winnings' };
}

export const isSaved = (coin: CryptoType, address: string, { [coin]: saved = '' }: http.CryptoWallets): boolean =>
  saved !== '' && paidScript(coin, saved) === paidScript(coin, address);

export const withdrawalField = (code: RefusalCode | null): keyof WithdrawalDraft =>
  code === 'invalid-wallet-address' ? 'address' : 'amount';

export type NewStatus = http.UpdateWithdrawalRequest['status'];

/** A withdrawal of a gamer, or of profit, which has no `gamerTag` and never goes to the gateway. */
export type AnyWithdrawal = ProfitWithdrawal & { gamerTag: string | null } & Partial<
    Pick<http.Withdrawal, 'isNewAddress' | 'isBeforeLoss'>
  >;

/** `chip`: classes in the gamer's list; `panelChip`: classes in the admin panel. */
export const STATUSES: Record<http.WithdrawalStatus, { name: string; chip: string; panelChip: string }> = {
  pending: { name: 'Pending', chip: 'chip chip--time', panelChip: 'chip chip--half' },
  processing: { name: 'Processing', chip: 'chip chip--time chip--half', panelChip: 'chip chip--on' },
  completed: { name: 'Completed', chip: 'chip chip--won', panelChip: 'chip chip--on' },
  returned: { name: 'Returned', chip: 'chip chip--bad', panelChip: 'chip' },
};

export const statusText = ({ status, isCancelled }: Pick<http.Withdrawal, 'status' | 'isCancelled'>): string =>
  isCancelled ? 'Cancelled' : STATUSES[status].name;

/** The statuses that may follow (decision 12). Completed and returned are final. Profit is never processing. */
export function nextStatuses(withdrawal: Pick<AnyWithdrawal, 'status' | 'gamerTag' | 'payoutBatchId'>): NewStatus[] {
  const { status, gamerTag, payoutBatchId } = withdrawal;
  if (payoutBatchId) return [];
  if (status === 'pending' && gamerTag !== null) return ['processing', 'completed', 'returned'];
  return status === 'pending' || status === 'processing' ? ['completed', 'returned'] : [];
}

/** Whether the gateway may be ordered to pay it. A withdrawal that it may have paid is decided by hand. */
export const isPayable = ({ payoutBatchId, payoutFailure }: http.Withdrawal): boolean =>
  payoutBatchId === null && payoutFailure?.outcome !== 'uncertain';

/** Describes one withdrawal or, with their sum and the `gamerTag` "their gamers", several. */
export function describeSettlement(
  status: NewStatus,
  { amountCents, gamerTag }: Pick<AnyWithdrawal, 'amountCents' | 'gamerTag'>,
): string {
  const amount = formatCents(amountCents);
  switch (status) {
    case 'processing':
      return `${amount} stays reserved, and shows as on its way to ${gamerTag}. It can still be completed or returned.`;
    case 'completed':
      if (gamerTag === null)
        return `Final: ${amount} counts as withdrawn profit. This sends nothing. Send the coins first.`;
      return `Final: ${amount} counts as paid to ${gamerTag}. This sends nothing. Mark it as processing and send the coins first, because a pending withdrawal can be cancelled.`;
    case 'returned':
      return `Final: ${amount} goes back to ${gamerTag === null ? 'the profit available' : `the winnings of ${gamerTag}, to the cent`}. Nothing is sent.`;
  }
}

export const settlementAction = (status: NewStatus, sum: string): string =>
  status === 'returned' ? `Return ${sum}` : `Mark ${sum} as ${status === 'processing' ? 'processing' : 'paid'}`;

export const updateBody = (status: NewStatus, notes: string, txid: string): http.UpdateWithdrawalRequest => ({
  status,
  adminNotes: notes.trim() || undefined,
  txid: (status === 'completed' && txid.trim()) || undefined,
});
