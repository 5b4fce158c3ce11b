import { DAY_MS, DAY_SECONDS, HOUR_MS, HOUR_SECONDS, MINUTE_SECONDS } from './durations.js';

/*
 * The product's numbers, by the product specification §9 and, where it is silent, docs/decisions.md. `MIN_…` and `MAX_…` bound a
 * number or a time, `…_MIN_LENGTH` and `…_MAX_LENGTH` a text.
 */

/** Specification §9: 30 cents a token: 13 to the jackpot, 15 to the matrix, 2 to `house:profit`. */
export const TOKEN_PRICE_CENTS = 30;
export const JACKPOT_SHARE_CENTS = 13;
export const HOUSE_SHARE_CENTS = 2;
export const LEVEL_SHARE_CENTS = 2;
/** The direct sponsor's bonus, on top of the level's share (decision 1). */
export const DIRECT_BONUS_CENTS = 1;

export const MATRIX_WIDTH = 3;
/** The matrix's width before the first round, whose terms hold the width from then on. It never changes. */
export const WIDTH_BEFORE_ROUNDS = 3;
/** Levels above a buyer that are paid, nearest first. A round has as many as its terms have shares (`levelShareCents`). */
export const MATRIX_LEVELS = [1, 2, 3, 4, 5, 6, 7] as const;
export type MatrixLevel = (typeof MATRIX_LEVELS)[number];
export const MATRIX_DEPTH = MATRIX_LEVELS.length;
export const LEVEL_CAPACITIES: readonly number[] = MATRIX_LEVELS.map((level) => MATRIX_WIDTH ** level);

/** Price and split of a round's tokens: fixed when the round is opened, as its timers are (decision 43). */
export type TokenTerms = typeof TERMS_OF_NEW_ROUNDS;

export interface RoundTerms extends TokenTerms {
  /** A round is ended this long after its countdown's end at the earliest, ms (decision 41). */
  decidingMs: number;
}

/** Purchases that arrived before zero and are still on their way are decided in this time, ms (decision 41). */
export const DECIDING_MS = 300;

/** A purchase is decided at most this long after its arrival, ms; otherwise it is answered with 503. */
export const DECIDED_WITHIN_MS = 6_000;

/** A command without a result this long after its arrival is refused as unavailable. */
export const COMMAND_TIMEOUT_MS = 5_000;

/** A purchase that arrived at most this long after a round's end gets a signed refusal, which is recorded (decision 60). */
export const LATE_RECORDED_MS = 10_000;
export const MAX_LATE_PURCHASES_PER_GAMER = 3;

/** A start is planned at most this long ahead, ms (decision 62). */
export const MAX_PLAN_AHEAD_MS = 366 * DAY_MS;

export const PLAN_REPEATS = ['once', 'daily'] as const;
export type PlanRepeat = (typeof PLAN_REPEATS)[number];

/** A planned start that begins later than this counts as late, ms. */
export const LATE_START_MS = 60_000;

/** A shorter time in which no node could take a purchase is not an outage, ms (decision 46). */
export const MIN_OUTAGE_MS = 3_000;

export const TERMS_OF_NEW_ROUNDS = {
  tokenPriceCents: TOKEN_PRICE_CENTS,
  jackpotShareCents: JACKPOT_SHARE_CENTS,
  houseShareCents: HOUSE_SHARE_CENTS,
  /** The uplines' shares, from level 1 on. */
  levelShareCents: new Array<number>(MATRIX_DEPTH).fill(LEVEL_SHARE_CENTS) as readonly number[],
  directBonusCents: DIRECT_BONUS_CENTS,
  matrixWidth: MATRIX_WIDTH,
};

/** Decision 15. */
export const MAX_TOKENS_PER_PURCHASE = 10_000;

export const DEPOSITOR_STATUS_MS = 30 * DAY_MS;

export const DEFAULT_TIMERS = {
  pregameDurationSeconds: 180,
  liveDurationSeconds: 120,
  downtimeDurationSeconds: 14_400,
  tokenExtensionSeconds: 30,
};
export type TimerSettings = typeof DEFAULT_TIMERS;

export const MAX_TIMER_SECONDS = 31_536_000;
/** A token adds a day at most, so that the countdown's end stays a safe integer whatever gamers can afford. */
export const MAX_EXTENSION_SECONDS = DAY_SECONDS;

/** Decision 18: Force Start Live is labelled '5min'. */
export const FORCED_LIVE_SECONDS = 300;

/** Decision 20: a round that resumes after an outage lasts at least this long. */
export const RESUMED_LIVE_MIN_SECONDS = 30;

/** The feed shows 10 purchases; the board keeps 24, as many as the client can draw at once. */
export const MAX_FEED_PURCHASES = 10;
export const MAX_BOARD_PURCHASES = 24;

export const MAX_LISTED_WINNERS = 20;

/** The largest change of one adjustment: a million dollars, up or down. */
export const MAX_ADJUSTMENT_CENTS = 100_000_000;

/** Decision 32. */
export const GAMER_TAG_PATTERN = /^[A-Za-z0-9_-]{3,20}$/;
export const EMAIL_MAX_LENGTH = 254;
export const PASSWORD_MIN_LENGTH = 6;
/** Staff passwords are longer: they give a thief more than a gamer's. */
export const STAFF_PASSWORD_MIN_LENGTH = 12;
/** Bounds the CPU time of a request: argon2 hashes the whole password. */
export const PASSWORD_MAX_LENGTH = 200;

/** A staff member's session ends after this time without a command or another sign of use. */
export const MAX_STAFF_IDLE_SECONDS = 30 * MINUTE_SECONDS;
/** A staff member's session ends this long after the login at the latest. */
export const MAX_STAFF_SESSION_SECONDS = 12 * HOUR_SECONDS;
/** A login or a step-up allows the acts that need one for this long. */
export const STEP_UP_SECONDS = 10 * MINUTE_SECONDS;
/** Codes given to staff at the enrolment, each for one use in place of the authenticator's code. */
export const RECOVERY_CODES = 10;
export const SECURITY_EVENTS_KEPT_DAYS = 90;

export const GAMER_LIST_PAGE_SIZE = 25;
export const MAX_PAGE_SIZE = 100;

/** Idempotency keys are remembered at least this long, up to the number below. */
export const COMMAND_MEMORY_MS = DAY_MS;
/** Bounds memory and snapshots: 5 commands a second for a whole day. Twice as many take 125 MB of heap. */
export const MAX_REMEMBERED_COMMANDS = 500_000;

/** Number of settled deposits and withdrawals kept with their status. Older ones are only known not to be open. */
export const MAX_REMEMBERED_SETTLEMENTS = 10_000;

/** Specification §9, launch: 2025-10-01 12:00 in New York, which is 16:00 UTC (decision 24). */
export const LAUNCH_AT_EPOCH_MS = Date.UTC(2025, 9, 1, 16, 0, 0);

export const ENDPOINT_MAX_LENGTH = 1_000;

export const REASON_MAX_LENGTH = 500;
/** Recorded in place of the reason that the admin did not give. */
export const NO_REASON = 'No reason given';

/** Specification §5: $10.00. */
export const MIN_WITHDRAWAL_CENTS = 1_000;
/** Specification §5: $7, whole dollars. */
export const MIN_DEPOSIT_DOLLARS = 7;
export const MAX_DEPOSIT_DOLLARS = 100_000;
/** Specification §5: added on top of a deposit. */
export const DEPOSIT_FEE_PERCENT = 5;
export const WALLET_ADDRESS_MAX_LENGTH = 128;
export const MAX_PAYOUTS_PER_BATCH = 100;
export const PAYOUT_CODE_MAX_LENGTH = 32;
export const ADMIN_NOTES_MAX_LENGTH = 1_000;
export const COMMUNITY_MESSAGE_MAX_LENGTH = 500;
export const TICKET_SUBJECT_MAX_LENGTH = 100;
export const TICKET_MESSAGE_MAX_LENGTH = 1_000;
/** A gamer writes no more into a ticket with this many messages: each list carries them all. */
export const MAX_TICKET_MESSAGES = 100;
/** Page size of lists for which the specification gives none. */
export const LIST_PAGE_SIZE = 50;
export const MAX_LISTED_REFERRALS = 24;
export const AUDIT_PAGE_SIZE = 20;
/** Longest search text: longer than any id, address or hash. */
export const QUERY_MAX_LENGTH = 128;
/** Length of an account's statement, days. */
export const DEFAULT_STATEMENT_DAYS = 30;
export const MAX_STATEMENT_DAYS = 366;
export const MAX_STATEMENT_LINES = 1_000;
/** Days of a gamer's list of movements: a hundred years. */
export const MAX_MOVEMENTS_DAYS = 36_525;
/** Newest rounds that the audit screens mark. */
export const MAX_MARKED_ROUNDS = 2_000;
/** Decision 33: one hour. */
export const MAILED_LINK_LIFETIME_MS = HOUR_MS;

/** Rate limits per gamer; settings can change them. */
export const POSTS_PER_GAMER_AND_MINUTE = 10;
export const TICKETS_PER_GAMER_AND_HOUR = 10;
/** Token and deposit invoices together: each costs calls to the gateway and is polled for days. */
export const INVOICES_PER_GAMER_AND_HOUR = 20;
/** Every change stays in the gamer's stream, which is read as a whole. */
export const WALLET_CHANGES_PER_GAMER_AND_HOUR = 20;
