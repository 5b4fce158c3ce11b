import type { CryptoType } from '../crypto.js';
import type { Power } from '../ids.js';
import type * as limits from '../limits.js';
import type * as protection from '../protection.js';
import { type DataByType, flag, int, intOf, listOf, nullable, object, text, textOf } from './fields.js';
import type { EventOf } from './metadata.js';

export type PaymentPurpose = 'deposit' | 'tokens';

/** Why the admin reviews a payment (decision 28). `failed`: the gateway received money and could not pass it on. */
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

const eachPeriod = object({ day: int, week: int, month: int });

const eachLimit = object({ day: nullable(int), week: nullable(int), month: nullable(int) });
const playLimits = object({ spending: eachLimit, deposits: eachLimit, loss: eachLimit });

const timers = {
  pregameDurationSeconds: int,
  liveDurationSeconds: int,
  downtimeDurationSeconds: int,
  tokenExtensionSeconds: int,
};

const terms = object({
  tokenPriceCents: int,
  jackpotShareCents: int,
  houseShareCents: int,
  levelShareCents: listOf(int),
  directBonusCents: int,
  matrixWidth: int,
});

const arrivedDeposit = {
  depositId: text,
  paymentId: text,
  /** A deposit brings a fee and depositor status, a token invoice neither. */
  purpose: textOf<PaymentPurpose>(),
  /** The credit, or the credit that an approval would give. */
  amountCents: int,
  feeCents: int,
  cryptoType: textOf<CryptoType>(),
};

const requestedWithdrawal = {
  withdrawalId: text,
  amountCents: int,
  cryptoType: textOf<CryptoType>(),
  walletAddress: text,
};

/** A settled withdrawal. `txid`: the payout's transaction, from the admin or the gateway; null when unknown. */
const settledWithdrawal = { withdrawalId: text, amountCents: int, adminNotes: nullable(text), txid: nullable(text) };

/** The events of the stream `ledger`. Gamers are known by id only; times are epoch milliseconds, amounts integer cents. */
export const LEDGER_EVENT_FIELDS = {
  /** A gamer took a place in the matrix. The first one is the admin: the root, without parent or slot. */
  GamerEnrolled: { gamerId: text, sponsorId: nullable(text), parentId: nullable(text), slot: nullable(int) },

  /** A round was opened, in pregame, with a carried jackpot (decisions 17, 19). */
  GameStarted: {
    roundId: int,
    pregameEndsAtMs: int,
    timers: object(timers),
    carriedCents: int,
    terms,
    /** The round ends this long after its countdown's end at the earliest. */
    decidingMs: int,
    /** Planned time of the start, if the system started the game by a plan, else null. */
    plannedAtMs: nullable(int),
  },
  /** A start was planned (decision 62). One that repeats daily plans the next one when it began, or was skipped. */
  GameScheduled: {
    startsAtMs: int,
    localTime: text,
    /** The time zone's name in the IANA database. */
    timeZone: text,
    repeat: textOf<limits.PlanRepeat>(),
  },
  ScheduleCancelled: { startsAtMs: int },

  LiveStarted: { roundId: int, endsAtEpochMs: int, forced: flag },

  TokenPurchased: {
    purchaseId: text,
    roundId: int,
    buyerId: text,
    quantity: int,
    costCents: int,
    source: textOf<'balance' | 'invoice'>(),
    /** The gateway payment, when an invoice paid for the purchase, else null. */
    paymentId: nullable(text),
    jackpotShareCents: int,
    houseShareCents: int,
    /** The uplines' pay: `level` is null for a sponsor above the round's levels; `direct` adds the bonus. */
    allocations: listOf(
      object({ gamerId: text, level: nullable(intOf<limits.MatrixLevel>()), direct: flag, cents: int }),
    ),
    /** The rest, to which no upline was entitled (decision 3). costCents is the sum of all shares. */
    unclaimedCents: int,
    jackpotCents: int,
    /** Like every balance in an event: after the event. */
    purchaseBalanceCents: int,
    receivedAtEpochMs: int,
  },

  TimeExtended: { roundId: int, purchaseId: text, buyerId: text, addedSeconds: int, endsAtEpochMs: int },

  RoundEnded: {
    roundId: int,
    winner: nullable(object({ gamerId: text, purchaseId: text })),
    /** Paid to the winner, or carried into the next round when there is none. */
    jackpotCents: int,
    endedAtMs: int,
    nextRoundAtMs: int,
    purchaseCount: int,
  },

  /** The countdown reached zero during an outage: the round resumes with the time that was left (decision 20). */
  LiveResumed: {
    roundId: int,
    outageSeconds: int,
    endsAtEpochMs: int,
    /** Last time at which a node could take a purchase. The outage lasted from then to the event's ledger time. */
    lastAliveAtMs: int,
  },

  /** The game is idle again. An open round is void, and its jackpot is carried into the next round (decision 19). */
  GameReset: {
    /** Null when no round was open. */
    roundId: nullable(int),
    carriedCents: int,
    reason: text,
    purchaseCount: int,
  },
  TimersChanged: timers,
  DepositorStatusSet: { gamerId: text, untilMs: nullable(int) },
  /** A gamer became staff, or is no longer staff: staff neither buy, earn nor withdraw (decision 47). */
  StaffStatusSet: { gamerId: text, isStaff: flag },
  /** The admin set the powers of a gamer who is staff; an empty list: the gamer is no longer an operator (decision 50a). */
  PowersSet: { gamerId: text, powers: listOf(textOf<Power>()) },

  WinningsTransferred: { gamerId: text, amountCents: int, purchaseBalanceCents: int },

  /** The admin changed a gamer's balances by signed amounts, against `house:adjustments`. */
  BalanceAdjusted: {
    gamerId: text,
    purchaseCents: int,
    winningsCents: int,
    reason: text,
    purchaseBalanceCents: int,
    winningsBalanceCents: int,
  },

  /** Money arrived at the gateway and waits for the admin's review. Nothing is posted yet. */
  DepositRecorded: { ...arrivedDeposit, gamerId: nullable(text), reason: textOf<ReviewReason>() },

  /** A deposit was credited: automatically because it was paid in full, or by the admin. */
  DepositApproved: {
    ...arrivedDeposit,
    gamerId: text,
    /** 30 days later; null for a token invoice, which gives no depositor status (decision 8). */
    depositorUntilMs: nullable(int),
    purchaseBalanceCents: int,
    /** The admin's reason for crediting another gamer than the recorded one (decision 48), else null. */
    reassignmentReason: nullable(text),
  },

  DepositRejected: { depositId: text, paymentId: text, adminNotes: nullable(text) },

  /** A token invoice was paid when its round was no longer live: its full value went to the balance (decision 29). */
  InvoiceCredited: {
    paymentId: text,
    gamerId: text,
    quantity: int,
    amountCents: int,
    cryptoType: textOf<CryptoType>(),
    purchaseBalanceCents: int,
  },

  /** Winnings were reserved for a payout, by hand or by the gateway (decision 12). */
  WithdrawalRequested: { ...requestedWithdrawal, gamerId: text },
  WithdrawalProcessing: { withdrawalId: text, gamerId: text, adminNotes: nullable(text) },
  /** The gateway was ordered to pay, once its batch's code is entered. `payoutId` is ours, `amount` decimal text of the coin. */
  PayoutOrdered: { withdrawalId: text, gamerId: text, batchId: text, payoutId: text, amount: text },
  /** The gateway did not make an ordered payout, or may have made it: the withdrawal waits for an admin again. */
  PayoutFailed: {
    withdrawalId: text,
    gamerId: text,
    payoutId: text,
    outcome: textOf<'failed' | 'rejected' | 'uncertain'>(),
    paidAmount: nullable(text),
    txid: nullable(text),
  },
  WithdrawalCompleted: { ...settledWithdrawal, gamerId: text },
  WithdrawalReturned: { ...settledWithdrawal, gamerId: text },
  /** The admin's withdrawal of `house:profit`, by the same mechanism. */
  ProfitWithdrawalRequested: requestedWithdrawal,
  ProfitWithdrawalCompleted: settledWithdrawal,
  ProfitWithdrawalReturned: settledWithdrawal,

  /** A gamer began a time-out or self-exclusion, or made it longer. */
  GamerExcluded: { gamerId: text, kind: textOf<protection.ExclusionKind>(), untilMs: int },
  /** After the end of a self-exclusion the gamer asked to play again, which holds from this time on. */
  ExclusionLifted: { gamerId: text, playsFromMs: int },
  /** An excluded gamer's whole purchase balance became winnings, so that it can be withdrawn. */
  BalanceReleased: { gamerId: text, amountCents: int, purchaseBalanceCents: int },

  /** A gamer chose limits. The lower ones hold at once; all of `higher` once it is confirmed, if it raises any. */
  LimitsSet: {
    gamerId: text,
    limits: playLimits,
    higher: nullable(object({ limits: playLimits, confirmableFromMs: int })),
    /** Sums of the gamer's purchases, deposits and jackpots in this day, week and month, which the limits count. */
    used: object({ spending: eachPeriod, deposits: eachPeriod, won: eachPeriod }),
  },
  LimitsConfirmed: { gamerId: text, limits: playLimits },

  /** The site's limits and obligations for all gamers, from this event on (decision 58). Before the first one: none. */
  ProtectionProfileSet: { profile: textOf<protection.ProfileName>(), limits: playLimits, mustChooseLimits: flag },

  /** An operator accepted that the log lost events of which a head was signed (decision 66). Payouts are held from now on. */
  HistoryLost: {
    /** The last head that was signed before the loss; its root in lower-case hex. */
    signedOrigin: text,
    signedSize: int,
    signedRoot: text,
    /** Ledger time of the event before this one: events that were appended later are lost. */
    lastKeptAtMs: int,
    /** The person who accepted the loss, and the reason: shown to everyone. */
    acceptedBy: text,
    reason: text,
  },
  /** After a loss: the admin's notes on a payout that the gateway sent, and that no withdrawal in the log names. */
  PayoutSettled: { payoutId: text, adminNotes: text },
  /** Payouts are released after a loss: the gateway was asked for this many payments and payouts, or an admin says why it was not. */
  PayoutsReleased: { paymentCount: int, payoutCount: int, reason: nullable(text) },

  /** A gamer was removed: the balances are forfeited, and the children moved in this order (decision 14). */
  GamerRemoved: {
    gamerId: text,
    moved: listOf(object({ gamerId: text, parentId: text, slot: int })),
    forfeitedPurchaseCents: int,
    forfeitedWinningsCents: int,
  },
};

export type LedgerEvents = DataByType<typeof LEDGER_EVENT_FIELDS>;

export type LedgerEvent = EventOf<LedgerEvents>;

export type LedgerEventType = LedgerEvent['type'];

export type Allocation = LedgerEvents['TokenPurchased']['allocations'][number];

/** Cents in the current day, week and month of New York's calendar. */
export type PlayedCents = Readonly<LedgerEvents['LimitsSet']['used']>;

export type PayoutOrder = Omit<LedgerEvents['PayoutOrdered'], 'withdrawalId' | 'gamerId'>;

/** `uncertain`: the payout may have been made, perhaps in another amount. */
export interface PayoutFailure extends Pick<LedgerEvents['PayoutFailed'], 'outcome' | 'paidAmount' | 'txid'> {}
