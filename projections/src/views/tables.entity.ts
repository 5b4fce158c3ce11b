import type { CryptoType } from '../../../contracts/crypto.js';
import type {
  LedgerEventType,
  PaymentPurpose,
  PayoutFailure,
  ReviewReason,
} from '../../../contracts/events/ledger-events.js';
import type { Credit, PaymentStatus } from '../../../contracts/events/payment-events.js';
import type { PublicEvent } from '../../../contracts/http/public-record.js';
import type { TicketMessage, TicketStatus } from '../../../contracts/http/support.js';
import type { CryptoWallets, WithdrawalStatus } from '../../../contracts/http/withdrawals.js';
import type { Power, Role } from '../../../contracts/ids.js';
import type { TimerSettings } from '../../../contracts/limits.js';
import type { Game } from '../../../domain/game.js';
import type { TrialBalance } from '../../../domain/ledger/trial-balance.js';
import { column, ReadTable } from '../columns.js';

/* The tables of the read models. The api reads them through these classes; a view writes its own. */

@ReadTable('balances')
export class BalanceRow {
  /** A ledger account's name. An account without postings has no row. */
  @column.text('account', { primary: true }) account!: string;
  @column.bigint('cents') cents!: number;
}

@ReadTable('gamer_totals')
export class GamerTotalsRow {
  @column.text('gamer_id', { primary: true }) gamerId!: string;
  @column.bigint('total_winnings_cents') totalWinningsCents!: number;
  @column.bigint('withdrawals_paid_cents') withdrawalsPaidCents!: number;
  /** Back from the purchase balance, during an exclusion. */
  @column.bigint('released_cents') releasedCents!: number;
}

@ReadTable('community_posts')
export class CommunityPostRow {
  @column.text('id', { primary: true }) id!: string;
  @column.text('gamer_id') gamerId!: string;
  @column.text('message') message!: string;
  @column.bigint('created_at_ms') createdAtMs!: number;
  @column.boolean('is_hidden') isHidden!: boolean;
  /** Log position of PostPublished. */
  @column.position('position') position!: string;
}

/** A day's adjustments in sums. Days without one have no row. */
@ReadTable('daily_adjustments')
export class DailyAdjustmentsRow {
  /** Day in New York, as 2025-10-14. */
  @column.date('day', { primary: true }) day!: string;
  @column.bigint('adjustments') adjustments!: number;
  @column.bigint('added_cents') addedCents!: number;
  /** Taken from gamers' balances; not negative. */
  @column.bigint('taken_cents') takenCents!: number;
}

/** A deposit is pending, approved or rejected; a token invoice's payment bought tokens or was credited to the balance. */
type DepositOutcome = 'pending' | 'approved' | 'rejected' | 'tokens' | 'balance';

@ReadTable('deposits')
export class DepositRow {
  @column.text('payment_id', { primary: true }) paymentId!: string;
  /** Null for an invoice's payment that needed no review. */
  @column.text('deposit_id', { nullable: true, unique: true }) depositId!: string | null;
  @column.text('purchase_id', { nullable: true }) purchaseId!: string | null;
  /** Revision of TokenPurchased in the ledger; null unless the payment bought tokens. */
  @column.bigint('purchase_revision', { nullable: true }) purchaseRevision!: number | null;
  @column.text('gamer_id', { nullable: true }) gamerId!: string | null;
  @column.text('purpose') purpose!: PaymentPurpose;
  @column.text('outcome') outcome!: DepositOutcome;
  @column.text('reason', { nullable: true }) reason!: ReviewReason | null;
  /** Notes of a rejection, encrypted for the gamer; null without any. */
  @column.text('admin_notes', { nullable: true }) adminNotes!: string | null;
  /** Id of the person who approved or rejected it; `system` for a payment that needed no review. */
  @column.text('settled_by', { nullable: true }) settledBy!: string | null;
  @column.bigint('amount_cents') amountCents!: number;
  /** Null for bought tokens: TokenPurchased does not have it. */
  @column.text('crypto_type', { nullable: true }) cryptoType!: CryptoType | null;
  @column.bigint('created_at_ms') createdAtMs!: number;
  @column.bigint('settled_at_ms', { nullable: true }) settledAtMs!: number | null;
}

@ReadTable('game_board')
export class GameBoard {
  @column.smallint('id', { primary: true }) id!: number;
  @column.json('game') game!: Game;
}

@ReadTable('gamers')
export class GamerRow {
  @column.text('id', { primary: true }) id!: string;
  /** Null, like the other personal columns, once the gamer was removed. */
  @column.text('gamer_tag', { nullable: true }) gamerTag!: string | null;
  @column.text('email', { nullable: true }) email!: string | null;
  @column.text('ref_code', { nullable: true }) refCode!: string | null;
  @column.text('role', { nullable: true }) role!: Role | null;
  /** An operator's powers; empty for every other role. */
  @column.textArray('powers', { default: "'{}'" }) powers!: Power[];
  /** Last millisecond as a depositor, past or to come; null when never a depositor. */
  @column.bigint('depositor_until_ms', { nullable: true }) depositorUntilMs!: number | null;
}

/** The search key of an id, an address or a hash: its first 24 characters in lower case. */
export const ledgerKeyOf = (text: string): string => text.slice(0, 24).toLowerCase();

/** Whether events of this type have a row in `ledger_events_by_type`: nearly every event is one of the other two. */
export const isIndexedType = (type: LedgerEventType | undefined): type is LedgerEventType =>
  type !== undefined && type !== 'TokenPurchased' && type !== 'TimeExtended';

/** The type of a ledger event, for the indexed types. */
@ReadTable('ledger_events_by_type')
export class EventByTypeRow {
  @column.bigint('revision', { primary: true }) revision!: number;
  @column.text('type') type!: string;
}

@ReadTable('ledger_rounds')
export class LedgerRoundRow {
  @column.integer('round_id', { primary: true }) roundId!: number;
  @column.bigint('first_revision') firstRevision!: number;
  /** Revision of RoundEnded or GameReset; null while the round is open. */
  @column.bigint('last_revision', { nullable: true }) lastRevision!: number | null;
  @column.bigint('ended_at_ms', { nullable: true }) endedAtMs!: number | null;
}

/** The trial balance after the first, every thousandth and the newest ledger event. */
@ReadTable('ledger_trial_balances')
export class TrialBalanceRow {
  @column.bigint('revision', { primary: true }) revision!: number;
  @column.bigint('at_ms') atMs!: number;
  @column.json('trial_balance') trialBalance!: TrialBalance;
}

@ReadTable('matrix_gamers')
export class MatrixGamerRow {
  @column.text('id', { primary: true }) id!: string;
  @column.text('parent_id', { nullable: true }) parentId!: string | null;
  @column.smallint('slot', { nullable: true }) slot!: number | null;
  @column.text('sponsor_id', { nullable: true }) sponsorId!: string | null;
  /** Nearest upline first, at most seven. */
  @column.textArray('uplines') uplines!: string[];
  /** Gamers placed below within seven levels. */
  @column.integer('team_size') teamSize!: number;
  @column.bigint('direct_bonus_cents') directBonusCents!: number;
  @column.bigint('enrolled_revision') enrolledRevision!: number;
}

/** One of a gamer's seven levels. A level that is empty and was paid nothing has no row. */
@ReadTable('matrix_levels')
export class MatrixLevelRow {
  @column.text('gamer_id', { primary: true }) gamerId!: string;
  @column.smallint('level', { primary: true }) level!: number;
  @column.integer('gamers') gamers!: number;
  @column.bigint('winnings_cents') winningsCents!: number;
}

/** An invoice at the gateway. A payment for an unknown invoice has a row with the id `unknown-…` and null columns. */
@ReadTable('invoices')
export class InvoiceRow {
  @column.text('order_id', { primary: true }) orderId!: string;
  @column.text('purpose', { nullable: true }) purpose!: PaymentPurpose | null;
  @column.text('gamer_id', { nullable: true }) gamerId!: string | null;
  @column.bigint('amount_cents', { nullable: true }) amountCents!: number | null;
  @column.text('crypto_type', { nullable: true }) cryptoType!: CryptoType | null;
  @column.integer('quantity', { nullable: true }) quantity!: number | null;
  @column.text('invoice_id', { nullable: true }) invoiceId!: string | null;
  /** The payment that was created with the invoice. */
  @column.text('payment_id', { nullable: true }) paymentId!: string | null;
  @column.boolean('is_expired', { default: false }) isExpired!: boolean;
  @column.bigint('opened_at_ms') openedAtMs!: number;
  /** Time of the last event of the stream. */
  @column.bigint('changed_at_ms') changedAtMs!: number;
}

@ReadTable('payments')
export class PaymentRow {
  @column.text('payment_id', { primary: true }) paymentId!: string;
  @column.text('order_id') orderId!: string;
  /** The gateway port's status in the gateway's last report. */
  @column.text('status') status!: PaymentStatus;
  @column.text('gateway_status') gatewayStatus!: string;
  /** The gateway's code of the coin, lower case. */
  @column.text('pay_currency') payCurrency!: string;
  /** Decimal text in coins, in the gateway's last report. */
  @column.text('actually_paid') actuallyPaid!: string;
  /** The gateway's status and amount that the verdict was decided on; null before the verdict. */
  @column.text('verdict_status', { nullable: true }) verdictStatus!: string | null;
  @column.text('verdict_paid', { nullable: true }) verdictPaid!: string | null;
  /** Time when status or amount began to differ from those of the verdict; null while they are equal. */
  @column.bigint('changed_at_ms', { nullable: true }) changedAtMs!: number | null;
  /** The ledger's outcome; `open` while it has none. */
  @column.text('outcome') outcome!: 'open' | 'pending' | 'rejected' | Credit;
  @column.text('reason', { nullable: true }) reason!: string | null;
  @column.bigint('credited_cents', { nullable: true }) creditedCents!: number | null;
}

@ReadTable('public_record')
export class PublicRecordRow {
  @column.bigint('revision', { primary: true }) revision!: number;
  @column.uuid('event_id') eventId!: string;
  @column.bigint('at_ms') atMs!: number;
  @column.json('event') event!: PublicEvent;
  /** The timers before a TimersChanged; null for another event. */
  @column.json('timers_before', { nullable: true }) timersBefore!: TimerSettings | null;
}

@ReadTable('recent_purchases')
export class RecentPurchaseRow {
  @column.bigint('revision', { primary: true }) revision!: number;
  @column.text('purchase_id', { unique: true }) purchaseId!: string;
  @column.integer('round_id') roundId!: number;
  @column.text('buyer_id') buyerId!: string;
  @column.bigint('at_ms') atMs!: number;
  @column.integer('quantity') quantity!: number;
  @column.bigint('jackpot_cents') jackpotCents!: number;
  @column.integer('added_seconds', { nullable: true }) addedSeconds!: number | null;
  @column.bigint('ends_at_ms', { nullable: true }) endsAtMs!: number | null;
}

@ReadTable('late_purchases')
export class LatePurchaseRow {
  @column.integer('round_id', { primary: true }) roundId!: number;
  @column.text('gamer_id', { primary: true }) gamerId!: string;
  @column.text('command_id', { primary: true }) commandId!: string;
  @column.integer('quantity') quantity!: number;
  @column.bigint('received_at_ms') receivedAtEpochMs!: number;
  @column.bigint('ended_at_ms') endedAtMs!: number;
  @column.bigint('ledger_size') ledgerSize!: number;
}

@ReadTable('stats')
export class StatsRow {
  @column.smallint('id', { primary: true }) id!: number;
  @column.bigint('total_gamers') totalGamers!: number;
  @column.bigint('total_winnings_cents') totalWinningsCents!: number;
  @column.bigint('total_tokens') totalTokens!: number;
  /** The profit share of all tokens bought so far, by the terms of their rounds. */
  @column.bigint('total_profit_cents') totalProfitCents!: number;
}

@ReadTable('tickets')
export class TicketRow {
  @column.text('id', { primary: true }) id!: string;
  @column.text('gamer_id') gamerId!: string;
  @column.text('subject') subject!: string;
  @column.text('status') status!: TicketStatus;
  /** Oldest first. */
  @column.json('messages') messages!: TicketMessage[];
  @column.bigint('created_at_ms') createdAtMs!: number;
  @column.bigint('resolved_at_ms', { nullable: true }) resolvedAtMs!: number | null;
}

@ReadTable('wallets')
export class WalletRow {
  @column.text('gamer_id', { primary: true }) gamerId!: string;
  /** Addresses by coin; null once the gamer was removed. */
  @column.json('addresses', { nullable: true }) addresses!: CryptoWallets | null;
}

@ReadTable('winners')
export class WinnerRow {
  @column.integer('round_id', { primary: true }) roundId!: number;
  @column.text('winner_id') winnerId!: string;
  @column.bigint('jackpot_cents') jackpotCents!: number;
  @column.bigint('ended_at_ms') endedAtMs!: number;
}

@ReadTable('withdrawals')
export class WithdrawalRow {
  @column.text('id', { primary: true }) id!: string;
  /** Null for the admin's own profit. */
  @column.text('gamer_id', { nullable: true }) gamerId!: string | null;
  @column.bigint('amount_cents') amountCents!: number;
  @column.text('crypto_type') cryptoType!: CryptoType;
  @column.text('wallet_address') walletAddress!: string;
  @column.text('status') status!: WithdrawalStatus;
  @column.boolean('is_cancelled', { default: false }) isCancelled!: boolean;
  @column.text('admin_notes', { nullable: true }) adminNotes!: string | null;
  @column.text('txid', { nullable: true }) txid!: string | null;
  /** The gateway's batch that has its payout; null without an order, and after a failed one. */
  @column.text('payout_batch_id', { nullable: true }) payoutBatchId!: string | null;
  @column.json('payout_failure', { nullable: true }) payoutFailure!: PayoutFailure | null;
  /** Id of the person who completed or returned it, or `system`; null while it is open. */
  @column.text('settled_by', { nullable: true }) settledBy!: string | null;
  @column.bigint('created_at_ms') createdAtMs!: number;
  @column.bigint('settled_at_ms', { nullable: true }) settledAtMs!: number | null;
}
