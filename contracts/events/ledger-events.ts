import type { CryptoType } from '../crypto.js';
import type { DepositId, GamerId, GatewayPaymentId, PurchaseId, RoundId, WithdrawalId } from '../ids.js';
import type { MatrixLevel, TimerSettings, TokenTerms } from '../limits.js';
import type { Cents } from '../money.js';

/**
 * The events of the stream `ledger`: play and money, in one order. Gamers are known by id only.
 * Times are epoch milliseconds, amounts integer cents.
 */

/** A gamer took a place in the matrix. The first one is the admin: the root, without parent or slot. */
export interface GamerEnrolled {
  type: 'GamerEnrolled';
  data: { gamerId: GamerId; sponsorId: GamerId | null; parentId: GamerId | null; slot: number | null };
}

/** A round was opened, in pregame, with a carried jackpot (decisions 17, 19). */
export interface GameStarted {
  type: 'GameStarted';
  data: {
    roundId: RoundId;
    pregameEndsAtEpochMs: number;
    timers: TimerSettings;
    carriedCents: Cents;
    /** Since version 2; read it with `termsOf` of upcast.ts. */
    terms?: TokenTerms;
    /** Since version 3; read it with `termsOf` of upcast.ts. */
    decidingMs?: number;
  };
}

export interface LiveStarted {
  type: 'LiveStarted';
  data: { roundId: RoundId; endsAtEpochMs: number; forced: boolean };
}

/** An upline's pay for a purchase: `level` is null for a sponsor above the round's levels; `direct` adds the bonus. */
export interface Allocation {
  gamerId: GamerId;
  level: MatrixLevel | null;
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
    /** The gateway payment, when an invoice paid for the purchase. */
    paymentId?: GatewayPaymentId;
    jackpotShareCents: Cents;
    houseShareCents: Cents;
    allocations: Allocation[];
    /** The rest, to which no upline was entitled (decision 3). costCents is the sum of all shares. */
    unclaimedCents: Cents;
    /** The round's jackpot after the purchase. */
    jackpotCents: Cents;
    /** The buyer's purchase balance after the purchase. */
    purchaseBalanceCents: Cents;
    /** Since version 2: when the purchase arrived (decision 41); read it with `receivedAtOf` of upcast.ts. */
    receivedAtEpochMs?: number;
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

/** The countdown reached zero during an outage: the round resumes with the time that was left (decision 20). */
export interface LiveResumed {
  type: 'LiveResumed';
  data: {
    roundId: RoundId;
    outageSeconds: number;
    endsAtEpochMs: number;
    /** Since version 2: when a node could last take a purchase. The outage lasted from then to the event's ledger time. */
    lastAliveAtEpochMs?: number;
  };
}

/** The game is idle again. An open round is void, and its jackpot is carried into the next round (decision 19). */
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
    /** The gamer's purchase balance after the transfer. */
    purchaseBalanceCents: Cents;
  };
}

/** The admin changed a gamer's balances by signed amounts, against `house:adjustments`. */
export interface BalanceAdjusted {
  type: 'BalanceAdjusted';
  data: {
    gamerId: GamerId;
    purchaseCents: Cents;
    winningsCents: Cents;
    reason: string;
    /** The gamer's balances after the changes. */
    purchaseBalanceCents: Cents;
    /** Since version 2. */
    winningsBalanceCents?: Cents;
  };
}

/** The reason for a review by the admin (decision 28). `failed`: the gateway received money and could not pass it on. */
export type ReviewReason =
  | 'underpaid'
  | 'overpaid'
  | 'wrong-coin'
  | 'repeated'
  | 'late'
  | 'failed'
  | 'unknown-order'
  | 'no-gamer';

/** Money arrived at the gateway and waits for the admin's review. Nothing is posted yet. */
export interface DepositRecorded {
  type: 'DepositRecorded';
  data: {
    depositId: DepositId;
    paymentId: GatewayPaymentId;
    /** A deposit brings a fee and depositor status, a token invoice neither. */
    purpose: 'deposit' | 'tokens';
    gamerId: GamerId | null;
    /** The amount that an approval would credit. */
    amountCents: Cents;
    feeCents: Cents;
    cryptoType: CryptoType;
    reason: ReviewReason;
  };
}

/** A deposit was credited: automatically because it was paid in full, or by the admin. */
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
    /** 30 days later; null for a token invoice, which gives no depositor status (decision 8). */
    depositorUntilEpochMs: number | null;
    purchaseBalanceCents: Cents;
  };
}

export interface DepositRejected {
  type: 'DepositRejected';
  data: { depositId: DepositId; paymentId: GatewayPaymentId; adminNotes: string | null };
}

/** A token invoice was paid when its round was no longer live: its full value went to the balance (decision 29). */
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

/** Winnings were reserved for a manual payout (decision 12). */
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

/** A settled withdrawal. `txid` is the payout's transaction, if the admin entered one. */
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

/** The admin's withdrawal of `house:profit`, by the same mechanism. */
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

/** A gamer was removed: the balances are forfeited, and the children moved in this order (decision 14). */
export interface GamerRemoved {
  type: 'GamerRemoved';
  data: {
    gamerId: GamerId;
    moved: { gamerId: GamerId; parentId: GamerId; slot: number }[];
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
