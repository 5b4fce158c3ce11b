import type { CryptoType } from '../crypto.js';
import type { DepositId, GamerId, GatewayPaymentId, PurchaseId, RoundId, WithdrawalId } from '../ids.js';
import type { TimerSettings } from '../limits.js';
import type { Cents } from '../money.js';

/**
 * The events of the stream `ledger`: play and money, in one order. Gamers are known by id only.
 * Times are epoch milliseconds, amounts integer cents.
 */

/** A gamer took a place in the matrix. The first one enrolled is the house (the admin): the root, without parent or slot. */
export interface GamerEnrolled {
  type: 'GamerEnrolled';
  data: { gamerId: GamerId; sponsorId: GamerId | null; parentId: GamerId | null; slot: 0 | 1 | 2 | null };
}

/** A round was opened, in pregame. `carriedCents` is the jackpot it starts with (decisions 17, 19). */
export interface GameStarted {
  type: 'GameStarted';
  data: { roundId: RoundId; pregameEndsAtEpochMs: number; timers: TimerSettings; carriedCents: Cents };
}

export interface LiveStarted {
  type: 'LiveStarted';
  data: { roundId: RoundId; endsAtEpochMs: number; forced: boolean };
}

/** Who was paid for a token: `level` 1..7, or null for a sponsor deeper than seven levels up; `direct` adds the sponsor's cent. */
export interface Allocation {
  gamerId: GamerId;
  level: 1 | 2 | 3 | 4 | 5 | 6 | 7 | null;
  direct: boolean;
  cents: Cents;
}

export interface TokenPurchased {
  type: 'TokenPurchased';
  data: {
    purchaseId: PurchaseId;
    roundId: RoundId;
    buyerId: GamerId;
    quantity: number;
    costCents: Cents;
    source: 'balance' | 'invoice';
    /** Of an invoice's purchase only: the gateway payment that paid for it. */
    paymentId?: GatewayPaymentId;
    jackpotShareCents: Cents;
    houseShareCents: Cents;
    allocations: Allocation[];
    /** What no upline was entitled to (decision 3). costCents = jackpot + house + allocations + unclaimed. */
    unclaimedCents: Cents;
    /** The round's jackpot after this purchase. */
    jackpotCents: Cents;
    /** The buyer's purchase balance after it. */
    purchaseBalanceCents: Cents;
  };
}

export interface TimeExtended {
  type: 'TimeExtended';
  data: { roundId: RoundId; purchaseId: PurchaseId; buyerId: GamerId; addedSeconds: number; endsAtEpochMs: number };
}

export interface RoundEnded {
  type: 'RoundEnded';
  data: {
    roundId: RoundId;
    winner: { gamerId: GamerId; purchaseId: PurchaseId } | null;
    /** Paid to the winner, or carried into the next round when there is none. */
    jackpotCents: Cents;
    endedAtEpochMs: number;
    nextRoundAtEpochMs: number;
    purchaseCount: number;
    /** RFC 6962 tree hash over the round's purchases in order (see domain/merkle.ts), lower-case hex. */
    merkleRoot: string;
  };
}

/** Nobody could buy when the countdown reached zero: the round goes on with the time that was left (decision 20). */
export interface LiveResumed {
  type: 'LiveResumed';
  data: { roundId: RoundId; outageSeconds: number; endsAtEpochMs: number };
}

/** Back to idle. A round that was open is void and its jackpot is carried (decision 19). */
export interface GameReset {
  type: 'GameReset';
  data: { roundId: RoundId | null; carriedCents: Cents; reason: string };
}

export interface TimersChanged {
  type: 'TimersChanged';
  data: TimerSettings;
}

export interface DepositorStatusSet {
  type: 'DepositorStatusSet';
  data: { gamerId: GamerId; untilEpochMs: number | null };
}

export interface WinningsTransferred {
  type: 'WinningsTransferred';
  data: {
    gamerId: GamerId;
    amountCents: Cents;
    /** The gamer's purchase balance after it. */
    purchaseBalanceCents: Cents;
  };
}

/** Signed changes made by an admin against `house:adjustments`. */
export interface BalanceAdjusted {
  type: 'BalanceAdjusted';
  data: {
    gamerId: GamerId;
    purchaseCents: Cents;
    winningsCents: Cents;
    reason: string;
    /** The gamer's balances after it: before it they were these without the changes. */
    purchaseBalanceCents: Cents;
    /** Since version 2. */
    winningsBalanceCents?: Cents;
  };
}

/** Why a payment waits for the admin (decision 28). `failed`: it arrived, but the gateway could not pass it on. */
export type ReviewReason =
  | 'underpaid'
  | 'overpaid'
  | 'wrong-coin'
  | 'repeated'
  | 'late'
  | 'failed'
  | 'unknown-order'
  | 'no-gamer';

/** Money arrived at the gateway that does not credit itself: it waits for the admin. Nothing is posted yet. */
export interface DepositRecorded {
  type: 'DepositRecorded';
  data: {
    depositId: DepositId;
    paymentId: GatewayPaymentId;
    /** What it was meant for: a deposit (fee, depositor status) or an invoice for tokens (neither). */
    purpose: 'deposit' | 'tokens';
    gamerId: GamerId | null;
    /** What approval would credit. */
    amountCents: Cents;
    feeCents: Cents;
    cryptoType: CryptoType;
    reason: ReviewReason;
  };
}

/** A deposit was credited: by itself (paid in full), or by the admin. */
export interface DepositApproved {
  type: 'DepositApproved';
  data: {
    depositId: DepositId;
    paymentId: GatewayPaymentId;
    purpose: 'deposit' | 'tokens';
    gamerId: GamerId;
    amountCents: Cents;
    feeCents: Cents;
    cryptoType: CryptoType;
    /** 30 days on; null for a token payment, which makes no depositor (decision 8). */
    depositorUntilEpochMs: number | null;
    purchaseBalanceCents: Cents;
  };
}

export interface DepositRejected {
  type: 'DepositRejected';
  data: { depositId: DepositId; paymentId: GatewayPaymentId; adminNotes: string | null };
}

/** A token invoice settled when its round was not live any more: its full value went to the balance (decision 29). */
export interface InvoiceCredited {
  type: 'InvoiceCredited';
  data: {
    paymentId: GatewayPaymentId;
    gamerId: GamerId;
    quantity: number;
    amountCents: Cents;
    cryptoType: CryptoType;
    purchaseBalanceCents: Cents;
  };
}

/** Winnings are reserved for a payout by hand (decision 12). */
export interface WithdrawalRequested {
  type: 'WithdrawalRequested';
  data: {
    withdrawalId: WithdrawalId;
    gamerId: GamerId;
    amountCents: Cents;
    cryptoType: CryptoType;
    walletAddress: string;
  };
}

export interface WithdrawalProcessing {
  type: 'WithdrawalProcessing';
  data: { withdrawalId: WithdrawalId; gamerId: GamerId; adminNotes: string | null };
}

/** How a request was settled. `txid` is the payout's transaction, where the admin gave it. */
interface WithdrawalSettled {
  withdrawalId: WithdrawalId;
  gamerId: GamerId;
  amountCents: Cents;
  adminNotes: string | null;
  txid: string | null;
}

export interface WithdrawalCompleted {
  type: 'WithdrawalCompleted';
  data: WithdrawalSettled;
}

export interface WithdrawalReturned {
  type: 'WithdrawalReturned';
  data: WithdrawalSettled;
}

/** The admin's own profit (2 cents a token), by the same mechanism. */
export interface ProfitWithdrawalRequested {
  type: 'ProfitWithdrawalRequested';
  data: { withdrawalId: WithdrawalId; amountCents: Cents; cryptoType: CryptoType; walletAddress: string };
}

export interface ProfitWithdrawalCompleted {
  type: 'ProfitWithdrawalCompleted';
  data: Omit<WithdrawalSettled, 'gamerId'>;
}

export interface ProfitWithdrawalReturned {
  type: 'ProfitWithdrawalReturned';
  data: Omit<WithdrawalSettled, 'gamerId'>;
}

/** A gamer is gone: the balances are forfeited, the children have moved (decision 14). In the order they moved. */
export interface GamerRemoved {
  type: 'GamerRemoved';
  data: {
    gamerId: GamerId;
    moved: { gamerId: GamerId; parentId: GamerId; slot: 0 | 1 | 2 }[];
    forfeitedPurchaseCents: Cents;
    forfeitedWinningsCents: Cents;
  };
}

export type LedgerEvent =
  | GamerEnrolled
  | GameStarted
  | LiveStarted
  | TokenPurchased
  | TimeExtended
  | RoundEnded
  | LiveResumed
  | GameReset
  | TimersChanged
  | DepositorStatusSet
  | WinningsTransferred
  | BalanceAdjusted
  | DepositRecorded
  | DepositApproved
  | DepositRejected
  | InvoiceCredited
  | WithdrawalRequested
  | WithdrawalProcessing
  | WithdrawalCompleted
  | WithdrawalReturned
  | ProfitWithdrawalRequested
  | ProfitWithdrawalCompleted
  | ProfitWithdrawalReturned
  | GamerRemoved;

export type LedgerEventType = LedgerEvent['type'];
