import type { CryptoType } from '../crypto.js';
import type { DecimalText } from '../decimal.js';
import type { DepositId, GamerId, GatewayPaymentId, Power, PurchaseId, RoundId, WithdrawalId } from '../ids.js';
import type * as limits from '../limits.js';
import type { LocalTime } from '../local-times.js';
import type { Cents } from '../money.js';
import type * as protection from '../protection.js';
import type { EventOf } from './metadata.js';

/** An upline's pay for a purchase: `level` is null for a sponsor above the round's levels; `direct` adds the bonus. */
export interface Allocation {
  gamerId: GamerId;
  level: limits.MatrixLevel | null;
  direct: boolean;
  cents: Cents;
}

/**
 * The reason for a review by the admin (decision 28). `failed`: the gateway received money and could not pass it on;
 * `over-limit`: a deposit beyond the gamer's or the operator's limit (decisions 56, 58).
 */
export type ReviewReason =
  | 'underpaid'
  | 'overpaid'
  | 'wrong-coin'
  | 'repeated'
  | 'late'
  | 'failed'
  | 'unknown-order'
  | 'no-gamer'
  | 'over-limit';

/** Cents in the current day, week and month of New York's calendar. */
export type PlayedCents = Readonly<
  Record<'spending' | 'deposits' | 'won', Readonly<Record<protection.LimitPeriod, Cents>>>
>;

interface ArrivedDeposit {
  depositId: DepositId;
  paymentId: GatewayPaymentId;
  /** A deposit brings a fee and depositor status, a token invoice neither. */
  purpose: 'deposit' | 'tokens';
  /** The credit, or the credit that an approval would give. */
  amountCents: Cents;
  feeCents: Cents;
  cryptoType: CryptoType;
}

interface RequestedWithdrawal {
  withdrawalId: WithdrawalId;
  amountCents: Cents;
  cryptoType: CryptoType;
  walletAddress: string;
}

export type PayoutOrder = { batchId: string; payoutId: string; amount: DecimalText };

/** `uncertain`: the payout may have been made, perhaps in another amount. */
export interface PayoutFailure {
  outcome: 'failed' | 'rejected' | 'uncertain';
  paidAmount: DecimalText | null;
  txid: string | null;
}

/** A settled withdrawal. `txid`: the payout's transaction, from the admin or the gateway; null when unknown. */
interface WithdrawalSettled {
  withdrawalId: WithdrawalId;
  gamerId: GamerId;
  amountCents: Cents;
  adminNotes: string | null;
  txid: string | null;
}

/**
 * The events of the stream `ledger`: play and money, in one order. Gamers are known by id only.
 * Times are epoch milliseconds, amounts integer cents.
 */
export interface LedgerEvents {
  /** A gamer took a place in the matrix. The first one is the admin: the root, without parent or slot. */
  GamerEnrolled: { gamerId: GamerId; sponsorId: GamerId | null; parentId: GamerId | null; slot: number | null };

  /** A round was opened, in pregame, with a carried jackpot (decisions 17, 19). */
  GameStarted: {
    roundId: RoundId;
    pregameEndsAtMs: number;
    timers: limits.TimerSettings;
    carriedCents: Cents;
    terms: limits.TokenTerms;
    /** The round ends this long after its countdown's end at the earliest. */
    decidingMs: number;
    /** Planned time of the start, if the system started the game by a plan. */
    plannedAtMs?: number;
  };
  /** A start was planned (decision 62). One that repeats daily plans the next one when it began, or was skipped. */
  GameScheduled: {
    startsAtMs: number;
    /** The local time of the start in the time zone. */
    localTime: LocalTime;
    /** Its name in the IANA database. */
    timeZone: string;
    repeat: limits.PlanRepeat;
  };
  /** The planned start was cancelled. */
  ScheduleCancelled: { startsAtMs: number };

  LiveStarted: { roundId: RoundId; endsAtEpochMs: number; forced: boolean };

  TokenPurchased: {
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
    jackpotCents: Cents;
    /** Like every balance in an event: after the event. */
    purchaseBalanceCents: Cents;
    /** Arrival of the purchase (decision 41). */
    receivedAtEpochMs: number;
  };

  TimeExtended: {
    roundId: RoundId;
    purchaseId: PurchaseId;
    buyerId: GamerId;
    addedSeconds: number;
    endsAtEpochMs: number;
  };

  RoundEnded: {
    roundId: RoundId;
    winner: { gamerId: GamerId; purchaseId: PurchaseId } | null;
    /** Paid to the winner, or carried into the next round when there is none. */
    jackpotCents: Cents;
    endedAtMs: number;
    nextRoundAtMs: number;
    purchaseCount: number;
  };

  /** The countdown reached zero during an outage: the round resumes with the time that was left (decision 20). */
  LiveResumed: {
    roundId: RoundId;
    outageSeconds: number;
    endsAtEpochMs: number;
    /** Last time at which a node could take a purchase. The outage lasted from then to the event's ledger time. */
    lastAliveAtMs: number;
  };

  /** The game is idle again. An open round is void, and its jackpot is carried into the next round (decision 19). */
  GameReset: {
    /** Null when no round was open. */
    roundId: RoundId | null;
    carriedCents: Cents;
    /** The operator's words. */
    reason: string;
    /** Purchases of the void round. */
    purchaseCount: number;
  };
  TimersChanged: limits.TimerSettings;
  DepositorStatusSet: { gamerId: GamerId; untilMs: number | null };
  /** A gamer became staff, or is no longer staff: staff neither buy, earn nor withdraw (decision 47). */
  StaffStatusSet: { gamerId: GamerId; isStaff: boolean };
  /** The admin set the powers of a gamer who is staff; an empty list: the gamer is no longer an operator (decision 50a). */
  PowersSet: { gamerId: GamerId; powers: readonly Power[] };

  WinningsTransferred: { gamerId: GamerId; amountCents: Cents; purchaseBalanceCents: Cents };

  /** The admin changed a gamer's balances by signed amounts, against `house:adjustments`. */
  BalanceAdjusted: {
    gamerId: GamerId;
    purchaseCents: Cents;
    winningsCents: Cents;
    reason: string;
    purchaseBalanceCents: Cents;
    winningsBalanceCents: Cents;
  };

  /** Money arrived at the gateway and waits for the admin's review. Nothing is posted yet. */
  DepositRecorded: ArrivedDeposit & { gamerId: GamerId | null; reason: ReviewReason };

  /** A deposit was credited: automatically because it was paid in full, or by the admin. */
  DepositApproved: ArrivedDeposit & {
    gamerId: GamerId;
    /** 30 days later; null for a token invoice, which gives no depositor status (decision 8). */
    depositorUntilMs: number | null;
    purchaseBalanceCents: Cents;
    /** The admin's reason for crediting another gamer than the recorded one (decision 48), else null. */
    reassignmentReason: string | null;
  };

  DepositRejected: { depositId: DepositId; paymentId: GatewayPaymentId; adminNotes: string | null };

  /** A token invoice was paid when its round was no longer live: its full value went to the balance (decision 29). */
  InvoiceCredited: {
    paymentId: GatewayPaymentId;
    gamerId: GamerId;
    quantity: number;
    amountCents: Cents;
    cryptoType: CryptoType;
    purchaseBalanceCents: Cents;
  };

  /** Winnings were reserved for a payout, by hand or by the gateway (decision 12). */
  WithdrawalRequested: RequestedWithdrawal & { gamerId: GamerId };
  WithdrawalProcessing: { withdrawalId: WithdrawalId; gamerId: GamerId; adminNotes: string | null };
  /** The gateway was ordered to pay, once its batch's code is entered. `payoutId` is ours, `amount` decimal text of the coin. */
  PayoutOrdered: { withdrawalId: WithdrawalId; gamerId: GamerId } & PayoutOrder;
  /** The gateway did not make an ordered payout, or may have made it: the withdrawal waits for an admin again. */
  PayoutFailed: { withdrawalId: WithdrawalId; gamerId: GamerId; payoutId: string } & PayoutFailure;
  WithdrawalCompleted: WithdrawalSettled;
  WithdrawalReturned: WithdrawalSettled;
  /** The admin's withdrawal of `house:profit`, by the same mechanism. */
  ProfitWithdrawalRequested: RequestedWithdrawal;
  ProfitWithdrawalCompleted: Omit<WithdrawalSettled, 'gamerId'>;
  ProfitWithdrawalReturned: Omit<WithdrawalSettled, 'gamerId'>;

  /** A gamer began a time-out or self-exclusion, or made it longer. */
  GamerExcluded: { gamerId: GamerId; kind: protection.ExclusionKind; untilMs: number };
  /** After the end of a self-exclusion the gamer asked to play again, which holds from this time on. */
  ExclusionLifted: { gamerId: GamerId; playsFromMs: number };
  /** An excluded gamer's whole purchase balance became winnings, so that it can be withdrawn. */
  BalanceReleased: { gamerId: GamerId; amountCents: Cents; purchaseBalanceCents: Cents };

  /** A gamer chose limits. The lower ones hold at once; all of `higher` once it is confirmed, if it raises any. */
  LimitsSet: {
    gamerId: GamerId;
    limits: protection.PlayLimits;
    higher: protection.HigherLimits | null;
    /** Sums of the gamer's purchases, deposits and jackpots in this day, week and month, which the limits count. */
    used: PlayedCents;
  };
  /** A gamer confirmed the higher limits, a day later or more. */
  LimitsConfirmed: { gamerId: GamerId; limits: protection.PlayLimits };

  /** The operator's limits and obligations for all gamers, from this event on (decision 58). Before the first one: none. */
  ProtectionProfileSet: protection.ProtectionProfile;

  /** An operator accepted that the log lost events of which a head was signed (decision 66). Payouts wait from now on. */
  HistoryLost: {
    /** The last head that was signed before the loss; its root in lower-case hex. */
    signedOrigin: string;
    signedSize: number;
    signedRoot: string;
    /** Ledger time of the event before this one: events that were appended later are lost. */
    lastKeptAtMs: number;
    /** The person who accepted the loss, and the reason: shown to everyone. */
    acceptedBy: string;
    reason: string;
  };
  /** After a loss: the admin's notes on a payout that the gateway sent, and that no withdrawal in the log names. */
  PayoutSettled: { payoutId: string; adminNotes: string };
  /** Payouts go on after a loss: the gateway was asked for this many payments and payouts, or an admin says why it was not. */
  PayoutsReleased: { paymentCount: number; payoutCount: number; reason: string | null };

  /** A gamer was removed: the balances are forfeited, and the children moved in this order (decision 14). */
  GamerRemoved: {
    gamerId: GamerId;
    moved: { gamerId: GamerId; parentId: GamerId; slot: number }[];
    forfeitedPurchaseCents: Cents;
    forfeitedWinningsCents: Cents;
  };
}

export type LedgerEvent = EventOf<LedgerEvents>;

export type LedgerEventType = LedgerEvent['type'];
