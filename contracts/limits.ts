/**
 * The product's numbers. Source: the product specification §9 and, where it is silent, docs/decisions.md.
 * Amounts are integer cents, durations carry their unit in the name.
 */

/** Specification §9: 30 cents a token, split 13 jackpot, 15 matrix, 2 house. */
export const TOKEN_PRICE_CENTS = 30;
export const JACKPOT_SHARE_CENTS = 13;
export const HOUSE_SHARE_CENTS = 2;
/** Each of the seven matrix levels is paid this much a token… */
export const LEVEL_SHARE_CENTS = 2;
/** …and the buyer's direct sponsor this much more (decision 1). */
export const DIRECT_BONUS_CENTS = 1;

export const MATRIX_WIDTH = 3;
export const MATRIX_DEPTH = 7;
/** Level sizes 3, 9, 27, 81, 243, 729, 2,187. */
export const LEVEL_CAPACITIES = [3, 9, 27, 81, 243, 729, 2187] as const;

/** Decision 15. */
export const MAX_TOKENS_PER_PURCHASE = 10_000;

/** Specification §9: depositor status lasts 30 days. */
export const DEPOSITOR_STATUS_MS = 30 * 24 * 60 * 60 * 1000;

export interface TimerSettings {
  pregameDurationSeconds: number;
  liveDurationSeconds: number;
  downtimeDurationSeconds: number;
  tokenExtensionSeconds: number;
}

export const DEFAULT_TIMERS: TimerSettings = {
  pregameDurationSeconds: 180,
  liveDurationSeconds: 120,
  downtimeDurationSeconds: 14_400,
  tokenExtensionSeconds: 30,
};

/** The longest a phase may be set to: a year. */
export const MAX_TIMER_SECONDS = 31_536_000;
/** The most a token may add: a day. With it, no sum of purchases anyone could pay for leaves the safe integers. */
export const MAX_EXTENSION_SECONDS = 86_400;

/** Decision 18: Force Start Live is labelled '5min'. */
export const FORCED_LIVE_SECONDS = 300;

/** Decision 20: a round that outlived an outage gets at least this long. */
export const RESUMED_LIVE_MIN_SECONDS = 30;

/** The feed shows 10; the board keeps enough to name every lamp that still burns (24, see the footlights). */
export const FEED_PURCHASES = 10;
export const BOARD_PURCHASES = 24;

export const WINNERS_LISTED = 20;

/** The largest change one adjustment may make: a million dollars either way. */
export const MAX_ADJUSTMENT_CENTS = 100_000_000;

/** Decision 32. */
export const GAMER_TAG_PATTERN = /^[A-Za-z0-9_-]{3,20}$/;
export const EMAIL_MAX_LENGTH = 254;
export const PASSWORD_MIN_LENGTH = 6;
/** argon2 reads it all; a bound keeps a request from buying CPU with length. */
export const PASSWORD_MAX_LENGTH = 200;

export const GAMER_LIST_PAGE_SIZE = 25;
export const MAX_PAGE_SIZE = 100;

/** How long a query waits for the read models to reach `X-After-Position`. */
export const READ_YOUR_WRITES_WAIT_MS = 2_000;

/** A repeated command is answered with its first result for this long. */
export const COMMAND_MEMORY_MS = 24 * 60 * 60 * 1000;
/** …and at most this many are remembered: it bounds memory and snapshots; beyond 11 commands a second, all day long, the time is shorter. */
export const MAX_REMEMBERED_COMMANDS = 1_000_000;

/** Of settled deposits and withdrawals the last so many are known to be settled; of older ones only that they are not open. */
export const MAX_REMEMBERED_SETTLEMENTS = 10_000;

/** Specification §9, launch: 2025-10-01 12:00 in New York, which is 16:00 UTC (decision 24). */
export const LAUNCH_AT_EPOCH_MS = Date.UTC(2025, 9, 1, 16, 0, 0);

/** An admin's reason for an adjustment or a reset. */
export const REASON_MAX_LENGTH = 500;

/** Specification §5: $10.00. */
export const MIN_WITHDRAWAL_CENTS = 1_000;
/** Specification §5: $7, whole dollars. */
export const MIN_DEPOSIT_DOLLARS = 7;
/** The most one deposit may be: $100,000. */
export const MAX_DEPOSIT_DOLLARS = 100_000;
/** Specification §5: added on top of a deposit. */
export const DEPOSIT_FEE_PERCENT = 5;
export const WALLET_ADDRESS_MAX_LENGTH = 128;
export const ADMIN_NOTES_MAX_LENGTH = 1_000;
export const COMMUNITY_MESSAGE_MAX_LENGTH = 500;
export const TICKET_SUBJECT_MAX_LENGTH = 100;
export const TICKET_MESSAGE_MAX_LENGTH = 1_000;
/** Rows of the lists that the specification gives no page size for. */
export const LIST_PAGE_SIZE = 50;
/** Days of the admin's charts: what they show unless asked for more or fewer, and the most they tell. */
export const DAILY_TOTALS_DAYS = 30;
export const MAX_DAILY_TOTALS_DAYS = 366;
/** Events of a page of the ledger, as auditors read it. */
export const AUDIT_PAGE_SIZE = 20;
/** What an auditor looks for: longer than any id, address or hash. */
export const FIND_MAX_LENGTH = 128;
/** Days of an account's statement, unless asked for others, and the most it takes in. */
export const STATEMENT_DAYS = 30;
export const MAX_STATEMENT_DAYS = 366;
export const MAX_STATEMENT_LINES = 1_000;
/** Rounds that the audit screens mark, the newest. */
export const MAX_ROUNDS_MARKED = 2_000;
/** Decision 33: one hour. */
export const RESET_TOKEN_LIFETIME_MS = 60 * 60 * 1000;

/** What one gamer may do (docs/decisions.md, "What one gamer may ask for"); settings may say otherwise. */
export const POSTS_PER_GAMER_AND_MINUTE = 10;
export const TICKETS_PER_GAMER_AND_HOUR = 10;
/** Each costs calls to the gateway, and is polled for days: for tokens and for deposits together. */
export const INVOICES_PER_GAMER_AND_HOUR = 20;
/** Each stays in the gamer's stream, which is read whole. */
export const WALLET_CHANGES_PER_GAMER_AND_HOUR = 20;
