import { CRYPTO_TYPES } from './crypto.js';
import type { GamerId } from './ids.js';
import * as limits from './limits.js';
import { formatCents, groupDigits } from './money.js';
import { newYorkTimeText } from './new-york-texts.js';
import * as protection from './protection.js';
import type { LatePurchase } from './transparency/signed-refusal.js';
import { counted } from './words.js';

type Status = { status: string };
type Wait = { retryAfterSeconds: number };

const waitThen = (text: string) => (p: Wait) => `${text} in ${waitingText(p)}.`;

/** Every refusal: its code, its HTTP status and the sentence a person reads, the specification's (§5, §8) where it has one. */
const refusals = {
  // purchases (§5, buy tokens)
  'invalid-quantity': [400, 'Please enter a valid quantity (minimum 1)'],
  'too-many-tokens': [400, `A purchase has at most ${groupDigits(limits.MAX_TOKENS_PER_PURCHASE)} tokens`],
  'game-pregame': [400, 'Game is starting soon. Please wait for the live phase.'],
  'game-downtime': [400, 'Game has ended. Please wait for the next round.'],
  'game-idle': [400, 'Game is not active yet. Please wait for the next round.'],
  'no-active-game': [400, 'No active game. Please wait for the next round.'],
  'insufficient-balance': [
    400,
    (p: { needCents: number; haveCents: number }) =>
      `You need ${formatCents(p.needCents)} but only have ${formatCents(p.haveCents)}`,
  ],
  'admin-cannot-buy': [403, 'The admin account cannot buy tokens'],
  'staff-cannot-play': [403, 'Auditors and operators cannot buy, deposit or withdraw'],
  'login-to-buy': [401, 'Please log in to buy tokens'],
  // transfer
  'transfer-amount-required': [400, 'Please enter an amount to transfer'],
  'invalid-transfer-amount': [400, 'Please enter a valid transfer amount'],
  'transfer-exceeds-winnings': [400, 'Transfer amount exceeds available winnings'],
  // reminders
  'admin-gets-no-reminders': [403, 'The admin account gets no reminders'],
  'invalid-push-subscription': [400, 'This browser cannot be reminded: its push service is not known'],
  // withdrawals (§5)
  'withdrawal-fields-required': [400, 'Please fill in all required fields'],
  'invalid-withdrawal-amount': [400, 'Please enter a valid withdrawal amount'],
  'withdrawal-below-minimum': [400, `Minimum withdrawal amount is ${formatCents(limits.MIN_WITHDRAWAL_CENTS)}`],
  'withdrawal-exceeds-winnings': [400, 'Withdrawal amount exceeds available winnings'],
  'unsupported-coin': [400, `Supported coins are ${CRYPTO_TYPES.slice(0, -1).join(', ')} and ${CRYPTO_TYPES.at(-1)}`],
  'invalid-wallet-address': [400, (p: { cryptoType: string }) => `This is not a valid ${p.cryptoType} address`],
  'wallet-address-too-long': [400, 'The wallet address is too long'],
  'transaction-id-too-long': [400, 'The transaction id is too long'],
  'transaction-id-used': [409, 'Another withdrawal already has this transaction id'],
  'withdrawal-not-found': [404, 'Withdrawal not found'],
  'withdrawal-settled': [409, (p: Status) => `This withdrawal is already ${p.status} and cannot be changed`],
  'withdrawal-not-pending': [409, 'This withdrawal is being processed and can no longer be cancelled'],
  'withdrawals-required': [400, `Please choose 1 to ${limits.MAX_PAYOUTS_PER_BATCH} withdrawals`],
  'payout-code-required': [400, 'Please enter the code of the gateway'],
  'payouts-by-hand': [409, 'Payouts are made by hand here: PAYOUTS_BY_GATEWAY is not set'],
  'payout-unknown': [409, 'The gateway has a payout for this withdrawal that the log does not know: decide it by hand'],
  'payout-below-minimum': [409, (p: { least: string }) => `The gateway pays at least ${p.least}`],
  'payouts-refused': [409, (p: { message: string }) => `The gateway refused the payouts: ${p.message}`],
  'payout-code-refused': [409, 'The gateway refused the code. The payouts wait for it.'],
  'payouts-unanswered': [503, 'The gateway is not answering. Please try again: no payout is sent twice.'],
  'payout-under-way': [409, 'This payout is with the gateway: it can be decided once the gateway has answered'],
  'payout-uncertain': [409, 'The gateway may have paid this withdrawal: decide it by hand'],
  'payouts-held': [409, 'The log lost events, so payouts are on hold until the gateway is asked what it paid'],
  'payouts-not-held': [409, 'Payouts are not on hold'],
  'payout-notes-required': [400, 'Please say what you found out'],
  'payout-not-found': [404, 'The gateway has no open payout with this number'],
  'payouts-differ': [409, 'The gateway answered: payouts go on once every difference is resolved'],
  'loss-reason-required': [400, 'Please say who accepts the loss, and why'],
  'loss-already-accepted': [409, 'This loss is accepted already'],
  'invalid-withdrawal-status': [400, 'Please choose a status'],
  'profit-fields-required': [400, 'Please fill in cryptocurrency type and wallet address'],
  'profit-exceeds-available': [
    400,
    (p: { availableCents: number }) => `You only have ${formatCents(p.availableCents)} available for withdrawal`,
  ],
  // payments (§5, §8)
  'login-to-create-invoice': [401, 'Please log in to create an invoice'],
  'login-to-create-deposit': [401, 'Please log in to create a deposit'],
  'deposit-below-minimum': [400, `Deposit amount must be at least $${limits.MIN_DEPOSIT_DOLLARS}`],
  'invalid-deposit-amount': [400, `Deposits are whole dollars, at most $${groupDigits(limits.MAX_DEPOSIT_DOLLARS)}`],
  'below-coin-minimum': [
    400,
    (p: { cryptoType: string; quantity: number; cents: number }) =>
      `${p.cryptoType} payments must be at least ${formatCents(p.cents)}: please buy ${p.quantity} tokens or more`,
  ],
  'deposit-below-coin-minimum': [
    400,
    (p: { cryptoType: string; dollars: number }) => `${p.cryptoType} deposits must be at least $${p.dollars}`,
  ],
  'payment-failed': [400, 'Failed to create payment'],
  'gateway-unavailable': [503, 'The payment service is not answering. Nothing was charged; please try again.'],
  'payment-id-required': [400, 'Please enter a Payment ID to lookup'],
  'payment-not-found': [404, 'Could not find payment with that ID'],
  'payment-unpaid': [400, (p: Status) => `Nothing has arrived for this payment yet (${p.status})`],
  'gamer-tag-required': [400, 'Please enter a gamer tag to assign this payment to'],
  'reassignment-needs-reason': [
    400,
    'This payment is recorded for another gamer. To take it from them, look it up again with a reason.',
  ],
  'payment-already-credited': [
    409,
    (p: { gamerTag: string; change?: string | null | undefined }) =>
      `This payment was already credited to ${p.gamerTag}${p.change ? `. ${p.change}` : ''}`,
  ],
  'payment-already-recorded': [409, 'This payment is already recorded'],
  'deposit-not-found': [404, 'Deposit not found'],
  'deposit-settled': [409, (p: Status) => `This deposit is already ${p.status}`],
  'deposit-changed': [
    409,
    (p: { change: string | null }) =>
      `This payment changed after you saw it. ${p.change ?? 'The gateway says again what it said at first'}. Please look at it again, then decide.`,
  ],
  'deposit-needs-gamer': [400, 'This deposit has no gamer yet: look its payment up and assign one'],
  'invalid-callback': [401, 'The callback is not signed by the gateway'],
  // gamers
  'gamer-has-pending-withdrawal': [409, 'This gamer has a pending withdrawal. Complete or return it first.'],
  'gamer-has-open-invoice': [409, 'This gamer has an open invoice. Wait until it is paid or has expired.'],
  'gamer-is-last-buyer': [409, 'This gamer is the last buyer of the live round'],
  'admin-cannot-be-removed': [403, 'The admin account cannot be deleted'],
  'invalid-reset-token': [400, 'This reset link is invalid or has expired.'],
  'invalid-role': [400, 'The role must be gamer, auditor or operator'],
  'admin-role-is-fixed': [403, 'The admin account keeps its role'],
  // time-outs and self-exclusion
  'gamer-excluded': [
    403,
    (p: protection.Exclusion) => `${exclusionText(p)} You can still withdraw, read your account and write to support.`,
  ],
  'invalid-exclusion': [400, 'Please choose one of the offered lengths'],
  'exclusion-only-longer': [
    409,
    (p: protection.Exclusion) => `${exclusionText(p)} It can be made longer, never shorter.`,
  ],
  'limit-reached': [403, limitText],
  'limits-required': [403, 'Please set a limit of your own first, on the page My Limits'],
  'invalid-limits': [
    400,
    `A limit is an amount in whole cents, from $0.00 to ${formatCents(protection.MAX_LIMIT_CENTS)}`,
  ],
  'no-higher-limits': [409, 'There is no higher limit to confirm'],
  'higher-limits-too-early': [
    409,
    (p: { confirmableFromMs: number }) =>
      `You can confirm the higher limits from ${newYorkTimeText(p.confirmableFromMs)} on.`,
  ],
  'exclusion-not-over': [409, exclusionText],
  'not-self-excluded': [409, 'You have no self-exclusion to lift'],
  'release-needs-exclusion': [409, 'Only a gamer in a time-out or self-exclusion can release the purchase balance'],
  'nothing-to-release': [400, 'The purchase balance is empty'],
  'identity-refused': [403, 'This email cannot be used. If you have an account, log in to it and write to support.'],
  // community and support (§5)
  'login-to-post': [401, 'Please login to post messages'],
  'message-required': [400, 'Please enter a message to post'],
  'message-too-long': [400, `Message must be ${limits.COMMUNITY_MESSAGE_MAX_LENGTH} characters or less`],
  'post-not-found': [404, 'Post not found'],
  'ticket-fields-required': [400, 'Please fill in both subject and message'],
  'ticket-subject-too-long': [400, `Subject must be ${limits.TICKET_SUBJECT_MAX_LENGTH} characters or less`],
  'ticket-message-too-long': [400, `Message must be ${limits.TICKET_MESSAGE_MAX_LENGTH} characters or less`],
  'ticket-not-found': [404, 'Ticket not found'],
  'ticket-full': [409, 'This ticket is full. Please open a new one.'],
  'ticket-message-required': [400, 'Please write a message'],
  'invalid-ticket-status': [400, 'The status must be open or closed'],
  'notes-too-long': [400, `Notes must be ${limits.ADMIN_NOTES_MAX_LENGTH} characters or less`],
  // admin
  'game-not-idle': [400, 'The game can only be started while it is idle'],
  'game-already-live': [400, 'The game is already live'],
  'game-already-idle': [400, 'The game is already idle'],
  'round-being-decided': [409, 'The countdown is over and the winner is being decided. Please try again in a moment.'],
  'invalid-start-time': [400, 'A start needs a date with time, a time zone, and once or daily'],
  'start-out-of-range': [400, 'A start is planned for a later time, at most a year ahead'],
  'start-time-skipped': [400, 'Clocks skip this time when summer time begins. Please choose another one.'],
  'start-already-planned': [409, 'A start is planned already. Please cancel it first.'],
  'start-not-planned': [409, 'This start is no longer planned'],
  'invalid-timers': [400, 'Timers must be whole seconds, from 1 to a year; a token adds at most a day'],
  'invalid-adjustment': [400, 'Adjustments must be whole cents, and at least one of them not zero'],
  'adjustment-below-zero': [400, 'The adjustment would take a balance below zero'],
  'admin-is-no-depositor': [400, 'The admin account cannot be a depositor'],
  'admin-has-no-balances': [400, 'The admin account has no balances to adjust'],
  'reason-too-long': [400, `A reason has at most ${limits.REASON_MAX_LENGTH} characters`],
  // matrix
  'gamer-not-found': [404, 'Gamer not found'],
  'gamer-already-enrolled': [409, 'This gamer is already enrolled'],
  'referral-code-not-found': [400, 'Referral code not found'],
  // accounts
  'all-fields-required': [400, 'All fields are required'],
  'passwords-do-not-match': [400, 'Passwords do not match'],
  'invalid-gamer-tag': [400, 'GamerTag must be 3 to 20 letters, digits, _ or -'],
  'gamer-tag-taken': [400, 'This GamerTag is already taken'],
  'gamer-tag-reserved': [400, 'This GamerTag is reserved'],
  'invalid-email': [400, 'Please enter a valid email address'],
  'email-taken': [400, 'An account with this email already exists'],
  'password-too-short': [400, `Password must be at least ${limits.PASSWORD_MIN_LENGTH} characters long`],
  'password-too-long': [400, `Password must be at most ${limits.PASSWORD_MAX_LENGTH} characters long`],
  'password-too-common': [400, 'This password is too common. Please choose another one.'],
  'staff-password-too-short': [400, `Staff passwords have at least ${limits.STAFF_PASSWORD_MIN_LENGTH} characters`],
  'second-factor-code-required': [401, 'Please enter the code of your authenticator app, or a recovery code'],
  'wrong-code': [400, 'This code is wrong, or was used already'],
  'wrong-password': [400, 'This password is wrong'],
  'enrolment-not-begun': [409, 'Please begin again: this code belongs to an older QR code'],
  'email-unchanged': [400, 'This is your email already'],
  'invalid-email-link': [400, 'This link is invalid or has expired.'],
  'session-not-found': [404, 'This session has ended already'],
  'invalid-credentials': [401, 'Invalid GamerTag or password'],
  'too-many-attempts': [429, waitThen('Too many attempts. Please try again')],
  'too-many-requests': [429, waitThen('Too many requests. Please try again')],
  'too-many-invoices': [429, waitThen('You have opened too many invoices. Please pay one of them, or try again')],
  'too-many-wallet-changes': [429, waitThen('You have changed your wallet addresses too often. Please try again')],
  // audit (decision 35)
  'event-not-found': [404, (p: { number: number }) => `There is no event ${groupDigits(p.number)} in the ledger`],
  'round-not-ended': [404, 'No round with this number has ended'],
  'round-reset': [404, 'This round was reset, so it has no winner'],
  'statement-needs-gamer': [400, 'Please name the gamer whose account it is'],
  'invalid-statement-days': [
    400,
    `A statement covers at most ${limits.MAX_STATEMENT_DAYS} days, from one date such as 2025-10-14 to another`,
  ],
  'statement-too-long': [400, 'This statement is too long. Please choose fewer days.'],
  // access
  'not-logged-in': [401, 'Please log in'],
  'staff-only': [403, 'Only staff have a second factor'],
  'step-up-required': [403, 'Please confirm first that it is you'],
  'second-factor-required': [403, 'Please set up your second factor first, or enter its code'],
  'not-yours': [403, 'You may only do this for your own account'],
  'admin-only': [403, 'Admin access required'],
  'power-missing': [403, 'You do not have the power to do this'],
  'power-not-for-oneself': [403, 'Another person must do this for you'],
  'operator-needs-powers': [400, 'Choose at least one power for an operator'],
  'auditor-only': [403, 'Auditor access required'],
  'origin-not-allowed': [403, 'This request did not come from an allowed origin'],
  'not-in-your-downline': [403, 'You may only open your own genealogy or your downline’s'],
  'changed-meanwhile': [
    409,
    (p: { by: GamerId | null }) => `${p.by ?? 'Somebody'} changed this after you had opened it. Nothing was saved.`,
  ],
  'another-account': [409, 'This browser is logged in to another account now. Nothing was done.'],
  'idempotency-key-reused': [409, 'This Idempotency-Key was used for a different request'],
  'invalid-idempotency-key': [400, 'Idempotency-Key must be 1 to 64 letters, digits, _ or -'],
  'invalid-position': [400, 'X-After-Position must be a log position'],
  // requests that no controller reads
  'invalid-request': [400, 'The request is not valid'],
  'invalid-json': [400, 'The request is not valid JSON'],
  'unreadable-request': [400, 'The request could not be read'],
  'unwritable-text': [400, 'The request contains characters that cannot be stored'],
  'reserved-text': [400, 'A text must not begin with “encrypted:1:”, which marks encrypted texts'],
  'request-too-large': [413, 'The request is too large'],
  'not-found': [404, 'Not found'],
  unavailable: [503, 'The game server cannot confirm this right now. Nothing was lost; please try again.'],
  'clock-untrusted': [503, 'This game server’s clock may be wrong. Nothing was done or lost; please try again.'],
  unexpected: [500, 'Something went wrong. Please try again.'],
} as const;

export type RefusalCode = keyof typeof refusals;
export const REFUSAL_CODES = Object.keys(refusals) as RefusalCode[];
type TextParameters<C extends RefusalCode> = (typeof refusals)[C][1] extends (p: infer P) => string ? P : undefined;

/** A code whose text needs no parameters. */
export type PlainRefusalCode = {
  [C in RefusalCode]: TextParameters<C> extends undefined ? C : never;
}[RefusalCode];

/** A purchase that arrived after the end of its round. */
type LateArrival = Pick<LatePurchase, 'roundId' | 'receivedAtEpochMs' | 'endedAtMs'>;

/** The reason why a command was not carried out: a code, and the parameters of its text. */
export type Refusal =
  | { code: PlainRefusalCode; late?: LateArrival; signedRefusal?: string }
  | {
      [C in Exclude<RefusalCode, PlainRefusalCode>]: { code: C; parameters: TextParameters<C> };
    }[Exclude<RefusalCode, PlainRefusalCode>];

/** "20 seconds", "15 minutes" or "an hour", rounded up. */
export function waitingText({ retryAfterSeconds: seconds }: Wait): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes === 60) return 'an hour';
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [minutes, 'minute'];
  return counted(count, unit);
}

const LIMIT_NAMES: Record<protection.LimitKind, string> = { spending: 'spending', deposits: 'deposit', loss: 'loss' };

/** "Your spending limit is $50.00 a day. $3.20 of it is left until …", in New York's time. */
export function limitText({ setBy, kind, period, limitCents, leftCents, untilMs }: protection.LimitInForce): string {
  const whose = setBy === 'gamer' ? 'Your' : 'The operator’s';
  const limit = `${whose} ${LIMIT_NAMES[kind]} limit is ${formatCents(limitCents)} a ${period}.`;
  // A limit of zero leaves nothing in the next period either.
  if (limitCents === 0 && leftCents === 0)
    return `${limit} With it you cannot ${kind === 'deposits' ? 'deposit' : 'buy'} anything.`;
  const left = leftCents > 0 ? formatCents(leftCents) : 'Nothing';
  return `${limit} ${left} of it is left until ${newYorkTimeText(untilMs)}.`;
}

/** "spending $5.00 a day; loss $20.00 a month", or "none". */
export function limitsText(chosen: protection.PlayLimits): string {
  const texts = protection.EVERY_LIMIT.flatMap(({ kind, period }) => {
    const cents = chosen[kind][period];
    return cents === null ? [] : [`${LIMIT_NAMES[kind]} ${formatCents(cents)} a ${period}`];
  });
  return texts.length === 0 ? 'none' : texts.join('; ');
}

/** "in a time-out until …", in New York's time as all of the game's days. */
export const describeExclusion = ({ kind, untilMs }: protection.Exclusion): string =>
  `${kind === 'time-out' ? 'in a time-out' : 'self-excluded'} until ${newYorkTimeText(untilMs)}`;

export function exclusionText(exclusion: protection.Exclusion): string {
  return `You are ${describeExclusion(exclusion)}.`;
}

export function refusalText(refusal: Refusal): string {
  const text: string | ((parameters: never) => string) = refusals[refusal.code][1];
  return typeof text === 'string' ? text : text(('parameters' in refusal ? refusal.parameters : undefined) as never);
}

export const refusalStatus = (code: RefusalCode): number => refusals[code][0];
