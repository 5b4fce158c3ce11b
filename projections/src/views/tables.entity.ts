import type { CryptoType } from '../../../contracts/crypto.js';
import type { PayoutFailure, ReviewReason } from '../../../contracts/events/ledger-events.js';
import type { Credit, PaymentStatus } from '../../../contracts/events/payment-events.js';
import type { PublicEvent } from '../../../contracts/http/public-record.js';
import type { TicketMessage, TicketStatus } from '../../../contracts/http/support.js';
import type { CryptoWallets, WithdrawalStatus } from '../../../contracts/http/withdrawals.js';
import type { Power, Role } from '../../../contracts/ids.js';
import type { TimerSettings } from '../../../contracts/limits.js';
import type { Game } from '../../../domain/game.js';
import type { TrialBalance } from '../../../domain/ledger/trial-balance.js';
import {
  BigintColumn,
  BooleanColumn,
  DateColumn,
  IntegerColumn,
  JsonColumn,
  PositionColumn,
  ReadTable,
  SmallintColumn,
  TextArrayColumn,
  TextColumn,
  UuidColumn,
} from '../columns.js';

/* The tables of the read models. The api reads them through these classes; a view writes its own. */

@ReadTable('balances')
export class BalanceRow {
  /** A ledger account's name. An account without postings has no row. */
  @TextColumn('account', { primary: true }) account!: string;
  @BigintColumn('cents') cents!: number;
}

@ReadTable('gamer_totals')
export class GamerTotalsRow {
  @TextColumn('gamer_id', { primary: true }) gamerId!: string;
  @BigintColumn('total_winnings_cents') totalWinningsCents!: number;
  @BigintColumn('withdrawals_paid_cents') withdrawalsPaidCents!: number;
  /** Back from the purchase balance, during an exclusion. */
  @BigintColumn('released_cents') releasedCents!: number;
}

@ReadTable('community_posts')
export class CommunityPostRow {
  @TextColumn('id', { primary: true }) id!: string;
  @TextColumn('gamer_id') gamerId!: string;
  @TextColumn('message') message!: string;
  @BigintColumn('created_at_ms') createdAtMs!: number;
  @BooleanColumn('is_hidden') isHidden!: boolean;
  /** Log position of PostPublished. */
  @PositionColumn('position') position!: string;
}

/** A day's adjustments in sums. Days without one have no row. */
@ReadTable('daily_adjustments')
export class DailyAdjustmentsRow {
  /** Day in New York, as 2025-10-14. */
  @DateColumn('day', { primary: true }) day!: string;
  @BigintColumn('adjustments') adjustments!: number;
  /** Credited to gamers' balances. */
  @BigintColumn('added_cents') addedCents!: number;
  /** Taken from gamers' balances; not negative. */
  @BigintColumn('taken_cents') takenCents!: number;
}

/** A deposit is pending, approved or rejected; a token invoice's payment bought tokens or was credited to the balance. */
export type DepositOutcome = 'pending' | 'approved' | 'rejected' | 'tokens' | 'balance';

/** A gateway payment that the ledger recorded. */
@ReadTable('deposits')
export class DepositRow {
  @TextColumn('payment_id', { primary: true }) paymentId!: string;
  /** Null for an invoice's payment that needed no review. */
  @TextColumn('deposit_id', { nullable: true, unique: true }) depositId!: string | null;
  @TextColumn('purchase_id', { nullable: true }) purchaseId!: string | null;
  /** Revision of TokenPurchased in the ledger; null unless the payment bought tokens. */
  @BigintColumn('purchase_revision', { nullable: true }) purchaseRevision!: number | null;
  @TextColumn('gamer_id', { nullable: true }) gamerId!: string | null;
  @TextColumn('purpose') purpose!: 'deposit' | 'tokens';
  @TextColumn('outcome') outcome!: DepositOutcome;
  /** The reason for the review; null without one. */
  @TextColumn('reason', { nullable: true }) reason!: ReviewReason | null;
  /** Of a rejection, encrypted for the gamer; null without any. */
  @TextColumn('admin_notes', { nullable: true }) adminNotes!: string | null;
  /** Who approved or rejected it; `system` for a payment that needed no review. */
  @TextColumn('decided_by', { nullable: true }) decidedBy!: string | null;
  @BigintColumn('amount_cents') amountCents!: number;
  /** Null for bought tokens: TokenPurchased does not have it. */
  @TextColumn('crypto_type', { nullable: true }) cryptoType!: CryptoType | null;
  @BigintColumn('created_at_ms') createdAtMs!: number;
  @BigintColumn('settled_at_ms', { nullable: true }) settledAtMs!: number | null;
}

@ReadTable('game_board')
export class GameBoard {
  @SmallintColumn('id', { primary: true }) id!: number;
  @JsonColumn('game') game!: Game;
}

@ReadTable('gamers')
export class GamerRow {
  @TextColumn('id', { primary: true }) id!: string;
  /** Null, like the other personal columns, once the gamer was removed. */
  @TextColumn('gamer_tag', { nullable: true }) gamerTag!: string | null;
  @TextColumn('email', { nullable: true }) email!: string | null;
  @TextColumn('ref_code', { nullable: true }) refCode!: string | null;
  @TextColumn('role', { nullable: true }) role!: Role | null;
  /** An operator's powers; empty for every other role. */
  @TextArrayColumn('powers', { default: "'{}'" }) powers!: Power[];
  /** Last millisecond as a depositor, past or to come; null when never a depositor. */
  @BigintColumn('depositor_until_ms', { nullable: true }) depositorUntilMs!: number | null;
  @BigintColumn('registered_at_ms', { nullable: true }) registeredAtMs!: number | null;
}

/** The search key of an id, an address or a hash: its first 24 characters in lower case. */
export const ledgerKeyOf = (text: string): string => text.slice(0, 24).toLowerCase();

/** A ledger event's type. TokenPurchased and TimeExtended, which are nearly all events, have no rows. */
@ReadTable('ledger_events_by_type')
export class EventByTypeRow {
  @BigintColumn('revision', { primary: true }) revision!: number;
  @TextColumn('type') type!: string;
}

@ReadTable('ledger_rounds')
export class LedgerRoundRow {
  @IntegerColumn('round_id', { primary: true }) roundId!: number;
  /** Revision of GameStarted. */
  @BigintColumn('first_revision') firstRevision!: number;
  /** Revision of RoundEnded or GameReset; null while the round is open. */
  @BigintColumn('last_revision', { nullable: true }) lastRevision!: number | null;
  @BigintColumn('ended_at_ms', { nullable: true }) endedAtMs!: number | null;
}

/** The trial balance after the first, every thousandth and the newest ledger event. */
@ReadTable('ledger_trial_balances')
export class TrialBalanceRow {
  @BigintColumn('revision', { primary: true }) revision!: number;
  @BigintColumn('at_ms') atMs!: number;
  @JsonColumn('trial_balance') trialBalance!: TrialBalance;
}

@ReadTable('matrix_gamers')
export class MatrixGamerRow {
  @TextColumn('id', { primary: true }) id!: string;
  @TextColumn('parent_id', { nullable: true }) parentId!: string | null;
  @SmallintColumn('slot', { nullable: true }) slot!: number | null;
  @TextColumn('sponsor_id', { nullable: true }) sponsorId!: string | null;
  /** Nearest upline first, at most seven. */
  @TextArrayColumn('uplines') uplines!: string[];
  /** Gamers placed below within seven levels. */
  @IntegerColumn('team_size') teamSize!: number;
  @BigintColumn('direct_bonus_cents') directBonusCents!: number;
  @BigintColumn('enrolled_revision') enrolledRevision!: number;
}

/** One of a gamer's seven levels. A level that is empty and was paid nothing has no row. */
@ReadTable('matrix_levels')
export class MatrixLevelRow {
  @TextColumn('gamer_id', { primary: true }) gamerId!: string;
  @SmallintColumn('level', { primary: true }) level!: number;
  @IntegerColumn('gamers') gamers!: number;
  @BigintColumn('winnings_cents') winningsCents!: number;
}

/** An invoice at the gateway. A payment for an unknown invoice has a row with the id `unknown-…` and null columns. */
@ReadTable('payments')
export class PaymentRow {
  @TextColumn('order_id', { primary: true }) orderId!: string;
  @TextColumn('purpose', { nullable: true }) purpose!: 'deposit' | 'tokens' | null;
  @TextColumn('gamer_id', { nullable: true }) gamerId!: string | null;
  @BigintColumn('amount_cents', { nullable: true }) amountCents!: number | null;
  @TextColumn('crypto_type', { nullable: true }) cryptoType!: CryptoType | null;
  @IntegerColumn('quantity', { nullable: true }) quantity!: number | null;
  @TextColumn('invoice_id', { nullable: true }) invoiceId!: string | null;
  /** The payment that was created with the invoice. */
  @TextColumn('payment_id', { nullable: true }) paymentId!: string | null;
  @BooleanColumn('is_expired', { default: false }) isExpired!: boolean;
  @BigintColumn('opened_at_ms') openedAtMs!: number;
  /** Time of the last event of the stream. */
  @BigintColumn('changed_at_ms') changedAtMs!: number;
}

@ReadTable('gateway_payments')
export class GatewayPaymentRow {
  @TextColumn('payment_id', { primary: true }) paymentId!: string;
  @TextColumn('order_id') orderId!: string;
  /** The gateway port's status in the gateway's last report. */
  @TextColumn('status') status!: PaymentStatus;
  /** The gateway's own name of that status. */
  @TextColumn('gateway_status') gatewayStatus!: string;
  /** The gateway's code of the coin, lower case. */
  @TextColumn('pay_currency') payCurrency!: string;
  /** Decimal text in coins, in the gateway's last report. */
  @TextColumn('actually_paid') actuallyPaid!: string;
  /** The gateway's status and amount that the verdict was decided on; null before the verdict. */
  @TextColumn('verdict_status', { nullable: true }) verdictStatus!: string | null;
  @TextColumn('verdict_paid', { nullable: true }) verdictPaid!: string | null;
  /** Time when status or amount began to differ from those of the verdict; null while they are equal. */
  @BigintColumn('changed_at_ms', { nullable: true }) changedAtMs!: number | null;
  /** The ledger's outcome; `seen` while it has none. */
  @TextColumn('outcome') outcome!: 'open' | 'pending' | 'rejected' | Credit;
  /** The reason for the review; null without one. */
  @TextColumn('reason', { nullable: true }) reason!: string | null;
  /** The credited amount; null without a credit. */
  @BigintColumn('credited_cents', { nullable: true }) creditedCents!: number | null;
}

/** A reset, a change of the timers, an outage or a loss of history. */
@ReadTable('public_record')
export class PublicRecordRow {
  @BigintColumn('revision', { primary: true }) revision!: number;
  @UuidColumn('event_id') eventId!: string;
  @BigintColumn('at_ms') atMs!: number;
  @JsonColumn('event') event!: PublicEvent;
  /** The timers before a TimersChanged; null for another event. */
  @JsonColumn('timers_before', { nullable: true }) timersBefore!: TimerSettings | null;
}

@ReadTable('recent_purchases')
export class RecentPurchaseRow {
  @BigintColumn('revision', { primary: true }) revision!: number;
  @TextColumn('purchase_id', { unique: true }) purchaseId!: string;
  @IntegerColumn('round_id') roundId!: number;
  @TextColumn('buyer_id') buyerId!: string;
  @BigintColumn('at_ms') atMs!: number;
  @IntegerColumn('quantity') quantity!: number;
  @BigintColumn('jackpot_cents') jackpotCents!: number;
  @IntegerColumn('added_seconds', { nullable: true }) addedSeconds!: number | null;
  @BigintColumn('ends_at_ms', { nullable: true }) endsAtMs!: number | null;
}

/** A purchase that came after its round's end. */
@ReadTable('late_purchases')
export class LatePurchaseRow {
  @IntegerColumn('round_id', { primary: true }) roundId!: number;
  @TextColumn('gamer_id', { primary: true }) gamerId!: string;
  @TextColumn('command_id', { primary: true }) commandId!: string;
  @IntegerColumn('quantity') quantity!: number;
  @BigintColumn('received_at_ms') receivedAtEpochMs!: number;
  @BigintColumn('ended_at_ms') endedAtEpochMs!: number;
  @BigintColumn('ledger_size') ledgerSize!: number;
}

@ReadTable('stats')
export class StatsRow {
  @SmallintColumn('id', { primary: true }) id!: number;
  @BigintColumn('total_gamers') totalGamers!: number;
  @BigintColumn('total_winnings_cents') totalWinningsCents!: number;
  /** All tokens bought so far, by balance or invoice. */
  @BigintColumn('total_tokens') totalTokens!: number;
  /** The profit share of all tokens bought so far, by the terms of their rounds. */
  @BigintColumn('total_profit_cents') totalProfitCents!: number;
}

@ReadTable('tickets')
export class TicketRow {
  @TextColumn('id', { primary: true }) id!: string;
  @TextColumn('gamer_id') gamerId!: string;
  @TextColumn('subject') subject!: string;
  @TextColumn('status') status!: TicketStatus;
  /** Oldest first. */
  @JsonColumn('messages') messages!: TicketMessage[];
  @BigintColumn('created_at_ms') createdAtMs!: number;
  /** Time of the closing; null while the ticket is open. */
  @BigintColumn('resolved_at_ms', { nullable: true }) resolvedAtMs!: number | null;
}

@ReadTable('wallets')
export class WalletRow {
  @TextColumn('gamer_id', { primary: true }) gamerId!: string;
  /** Addresses by coin; null once the gamer was removed. */
  @JsonColumn('addresses', { nullable: true }) addresses!: CryptoWallets | null;
}

@ReadTable('winners')
export class WinnerRow {
  @IntegerColumn('round_id', { primary: true }) roundId!: number;
  @TextColumn('winner_id') winnerId!: string;
  @BigintColumn('jackpot_cents') jackpotCents!: number;
  @BigintColumn('ended_at_ms') endedAtMs!: number;
}

@ReadTable('withdrawals')
export class WithdrawalRow {
  @TextColumn('id', { primary: true }) id!: string;
  /** Null for the admin's own profit. */
  @TextColumn('gamer_id', { nullable: true }) gamerId!: string | null;
  @BigintColumn('amount_cents') amountCents!: number;
  @TextColumn('crypto_type') cryptoType!: CryptoType;
  @TextColumn('wallet_address') walletAddress!: string;
  @TextColumn('status') status!: WithdrawalStatus;
  /** Returned because its gamer cancelled it. */
  @BooleanColumn('is_cancelled', { default: false }) isCancelled!: boolean;
  @TextColumn('admin_notes', { nullable: true }) adminNotes!: string | null;
  @TextColumn('txid', { nullable: true }) txid!: string | null;
  /** The gateway's batch that has its payout; null without an order, and after a failed one. */
  @TextColumn('payout_batch_id', { nullable: true }) payoutBatchId!: string | null;
  /** How its last payout failed at the gateway. */
  @JsonColumn('payout_failure', { nullable: true }) payoutFailure!: PayoutFailure | null;
  /** Who set the status; null while it is pending. */
  @TextColumn('decided_by', { nullable: true }) decidedBy!: string | null;
  @BigintColumn('created_at_ms') createdAtMs!: number;
  @BigintColumn('processed_at_ms', { nullable: true }) processedAtMs!: number | null;
}
