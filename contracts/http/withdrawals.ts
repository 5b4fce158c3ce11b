import type { CryptoType } from '../crypto.js';
import type { PayoutFailure } from '../events/ledger-events.js';
import type { GamerId, WithdrawalId } from '../ids.js';
import type { MessageResponse } from './headers.js';

/** GET /api/gamer/{id}/crypto-wallets */
export type CryptoWallets = Partial<Record<CryptoType, string>>;

/** POST /api/gamer/{id}/crypto-wallets */
export type SaveWalletRequest = { cryptoType: CryptoType; walletAddress: string };

/** POST /api/gamer/{id}/withdraw and POST /api/admin/profits/withdraw */
export type WithdrawRequest = { amountCents: number } & SaveWalletRequest;

export type WithdrawalStatus = 'pending' | 'processing' | 'completed' | 'returned';

/** Specification §4: pending and processing are listed as pending, completed and returned as completed. */
export const WITHDRAWALS_LISTED = {
  pending: ['pending', 'processing'],
  completed: ['completed', 'returned'],
} as const satisfies Record<string, readonly WithdrawalStatus[]>;
export const isOpen = ({ status }: { status: WithdrawalStatus }): boolean =>
  WITHDRAWALS_LISTED.pending.some((open) => open === status);
export type WithdrawalList = keyof typeof WITHDRAWALS_LISTED;

/** GET /api/admin/withdrawals?listed= and GET /api/gamer/{id}/withdrawals: newest first. */
export interface Withdrawal extends WithdrawRequest {
  id: WithdrawalId;
  status: WithdrawalStatus;
  /** True when it was returned because its gamer cancelled it. */
  isCancelled: boolean;
  gamerId: GamerId;
  gamerTag: string;
  /** True when it is open and none of the gamer's withdrawals to this address was completed. */
  isNewAddress: boolean;
  /** True when it is open and was requested before the log lost events: it may have been paid. */
  isBeforeLoss: boolean;
  createdAt: number;
  processedAt: number | null;
  adminNotes: string | null;
  txid: string | null;
  /** Admins see the gateway's batch that has its payout, and how its last payout failed. */
  payoutBatchId: string | null;
  payoutFailure: PayoutFailure | null;
  /** Admins see the GamerTag of the person who settled it, or 'the gateway'; null while it is open, and for gamers. */
  settledBy: string | null;
}

/** PUT /api/admin/withdrawals/{id}; of a profit withdrawal only completed and returned. */
export interface UpdateWithdrawalRequest {
  status: Exclude<WithdrawalStatus, 'pending'>;
  adminNotes?: string;
  txid?: string;
}

/** GET /api/admin/payouts: `isOn` is false where payouts are made by hand. */
export type PayoutsByGateway = { isOn: boolean };

/** POST /api/admin/payouts. Without a code the batch waits for it. */
export interface OrderPayoutsRequest {
  /** 1 to 100, each once. */
  withdrawalIds: WithdrawalId[];
  code?: string;
}

export interface OrderPayoutsResponse extends MessageResponse {
  /** The withdrawals that the gateway does not pay, with the reason. */
  refused: { withdrawalId: WithdrawalId; error: string }[];
}
