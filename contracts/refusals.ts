import { REASON_MAX_LENGTH } from './limits.js';
import { formatCents } from './money.js';

/**
 * Every refusal: its code, its HTTP status and the sentence a person reads. The texts are the specification's (§5, §8)
 * where it has one. A refusal travels as its code inside the server and as `{ error: text, code }` over HTTP.
 */
const refusals = {
  // purchases (§5, buy tokens)
  'invalid-quantity': { status: 400, text: 'Please enter a valid quantity (minimum 1)' },
  'too-many-tokens': { status: 400, text: 'A purchase has at most 10,000 tokens' },
  'game-pregame': { status: 400, text: 'Game is starting soon. Please wait for the live phase.' },
  'game-downtime': { status: 400, text: 'Game has ended. Please wait for the next round.' },
  'game-idle': { status: 400, text: 'Game is not active yet. Please wait for the next round.' },
  'no-active-game': { status: 400, text: 'No active game. Please wait for the next round.' },
  'insufficient-balance': {
    status: 400,
    text: (p: { needCents: number; haveCents: number }) =>
      `You need ${formatCents(p.needCents)} but only have ${formatCents(p.haveCents)}`,
  },
  'admin-cannot-buy': { status: 403, text: 'The admin account cannot buy tokens' },
  'login-to-buy': { status: 401, text: 'Please log in to buy tokens' },
  // transfer
  'transfer-amount-required': { status: 400, text: 'Please enter an amount to transfer' },
  'invalid-transfer-amount': { status: 400, text: 'Please enter a valid transfer amount' },
  'transfer-exceeds-winnings': { status: 400, text: 'Transfer amount exceeds available winnings' },
  // withdrawals (§5)
  'withdrawal-fields-required': { status: 400, text: 'Please fill in all required fields' },
  'invalid-withdrawal-amount': { status: 400, text: 'Please enter a valid withdrawal amount' },
  'withdrawal-below-minimum': { status: 400, text: 'Minimum withdrawal amount is $10.00' },
  'withdrawal-exceeds-winnings': { status: 400, text: 'Withdrawal amount exceeds available winnings' },
  'unsupported-coin': { status: 400, text: 'Supported coins are BTC, LTC, TRX and DOGE' },
  'invalid-wallet-address': {
    status: 400,
    text: (p: { cryptoType: string }) => `This is not a valid ${p.cryptoType} address`,
  },
  'wallet-address-too-long': { status: 400, text: 'The wallet address is too long' },
  'transaction-id-too-long': { status: 400, text: 'The transaction id is too long' },
  'withdrawal-not-found': { status: 404, text: 'Withdrawal not found' },
  'withdrawal-settled': {
    status: 409,
    text: (p: { status: string }) => `This withdrawal is already ${p.status} and cannot be changed`,
  },
  'invalid-withdrawal-status': { status: 400, text: 'Please choose a status' },
  'profit-fields-required': { status: 400, text: 'Please fill in cryptocurrency type and wallet address' },
  'profit-exceeds-available': {
    status: 400,
    text: (p: { availableCents: number }) => `You only have ${formatCents(p.availableCents)} available for withdrawal`,
  },
  // payments (§5, §8)
  'login-to-create-invoice': { status: 401, text: 'Please log in to create an invoice' },
  'login-to-create-deposit': { status: 401, text: 'Please log in to create a deposit' },
  'deposit-below-minimum': { status: 400, text: 'Deposit amount must be at least $7' },
  'invalid-deposit-amount': { status: 400, text: 'Deposits are whole dollars, at most $100,000' },
  'below-coin-minimum': {
    status: 400,
    text: (p: { cryptoType: string; quantity: number; cents: number }) =>
      `${p.cryptoType} payments must be at least ${formatCents(p.cents)}: please buy ${p.quantity} tokens or more`,
  },
  'deposit-below-coin-minimum': {
    status: 400,
    text: (p: { cryptoType: string; dollars: number }) => `${p.cryptoType} deposits must be at least $${p.dollars}`,
  },
  'payment-failed': { status: 400, text: 'Failed to create payment' },
  'gateway-unavailable': {
    status: 503,
    text: 'The payment service is not answering. Nothing was charged; please try again.',
  },
  'payment-id-required': { status: 400, text: 'Please enter a Payment ID to lookup' },
  'payment-not-found': { status: 404, text: 'Could not find payment with that ID' },
  'payment-unpaid': {
    status: 400,
    text: (p: { status: string }) => `Nothing has arrived for this payment yet (${p.status})`,
  },
  'gamer-tag-required': { status: 400, text: 'Please enter a gamer tag to assign this payment to' },
  'payment-already-credited': {
    status: 409,
    text: (p: { gamerTag: string; change?: string | null | undefined }) =>
      `This payment was already credited to ${p.gamerTag}${p.change ? `. ${p.change}` : ''}`,
  },
  'payment-already-recorded': { status: 409, text: 'This payment is already recorded' },
  'deposit-not-found': { status: 404, text: 'Deposit not found' },
  'deposit-settled': { status: 409, text: (p: { status: string }) => `This deposit is already ${p.status}` },
  'deposit-needs-gamer': { status: 400, text: 'This deposit has no gamer yet: look its payment up and assign one' },
  'invalid-callback': { status: 401, text: 'The callback is not signed by the gateway' },
  // gamers
  'gamer-has-pending-withdrawal': {
    status: 409,
    text: 'This gamer has a pending withdrawal. Complete or return it first.',
  },
  'gamer-has-open-invoice': {
    status: 409,
    text: 'This gamer has an open invoice. Wait until it is paid or has expired.',
  },
  'gamer-is-last-buyer': { status: 409, text: 'This gamer is the last buyer of the live round' },
  'admin-cannot-be-removed': { status: 403, text: 'The admin account cannot be deleted' },
  'invalid-reset-token': { status: 400, text: 'This reset link is invalid or has expired.' },
  'invalid-role': { status: 400, text: 'The role must be gamer or auditor' },
  'admin-role-is-fixed': { status: 403, text: 'The admin account keeps its role' },
  // community and support (§5)
  'login-to-post': { status: 401, text: 'Please login to post messages' },
  'message-required': { status: 400, text: 'Please enter a message to post' },
  'message-too-long': { status: 400, text: 'Message must be 500 characters or less' },
  'post-not-found': { status: 404, text: 'Post not found' },
  'ticket-fields-required': { status: 400, text: 'Please fill in both subject and message' },
  'ticket-subject-too-long': { status: 400, text: 'Subject must be 100 characters or less' },
  'ticket-message-too-long': { status: 400, text: 'Message must be 1000 characters or less' },
  'ticket-not-found': { status: 404, text: 'Ticket not found' },
  'invalid-ticket-status': { status: 400, text: 'The status must be open or closed' },
  'notes-too-long': { status: 400, text: 'Notes must be 1000 characters or less' },
  // admin
  'game-not-idle': { status: 400, text: 'The game can only be started while it is idle' },
  'game-already-live': { status: 400, text: 'The game is already live' },
  'game-already-idle': { status: 400, text: 'The game is already idle' },
  'round-being-decided': {
    status: 409,
    text: 'The countdown is over and the winner is being decided. Please try again in a moment.',
  },
  'invalid-timers': { status: 400, text: 'Timers must be whole seconds, from 1 to a year; a token adds at most a day' },
  'invalid-adjustment': { status: 400, text: 'Adjustments must be whole cents, and at least one of them not zero' },
  'adjustment-below-zero': { status: 400, text: 'The adjustment would take a balance below zero' },
  'admin-is-no-depositor': { status: 400, text: 'The admin account cannot be a depositor' },
  'admin-has-no-balances': { status: 400, text: 'The admin account has no balances to adjust' },
  'reason-too-long': { status: 400, text: `A reason has at most ${REASON_MAX_LENGTH} characters` },
  // matrix
  'gamer-not-found': { status: 404, text: 'Gamer not found' },
  'gamer-already-enrolled': { status: 409, text: 'This gamer is already enrolled' },
  'referral-code-not-found': { status: 400, text: 'Referral code not found' },
  // accounts
  'all-fields-required': { status: 400, text: 'All fields are required' },
  'passwords-do-not-match': { status: 400, text: 'Passwords do not match' },
  'invalid-gamer-tag': { status: 400, text: 'GamerTag must be 3 to 20 letters, digits, _ or -' },
  'gamer-tag-taken': { status: 400, text: 'This GamerTag is already taken' },
  'gamer-tag-reserved': { status: 400, text: 'This GamerTag is reserved' },
  'invalid-email': { status: 400, text: 'Please enter a valid email address' },
  'email-taken': { status: 400, text: 'An account with this email already exists' },
  'password-too-short': { status: 400, text: 'Password must be at least 6 characters long' },
  'password-too-long': { status: 400, text: 'Password must be at most 200 characters long' },
  'password-too-common': { status: 400, text: 'This password is too common. Please choose another one.' },
  'invalid-credentials': { status: 401, text: 'Invalid GamerTag or password' },
  'too-many-attempts': {
    status: 429,
    text: (p: { retryAfterSeconds: number }) =>
      `Too many attempts. Please try again in ${p.retryAfterSeconds} seconds.`,
  },
  'too-many-requests': {
    status: 429,
    text: (p: { retryAfterSeconds: number }) =>
      `Too many requests. Please try again in ${p.retryAfterSeconds} seconds.`,
  },
  'too-many-invoices': {
    status: 429,
    text: (p: { retryAfterSeconds: number }) =>
      `You have opened too many invoices. Please pay one of them, or try again in ${formatDuration(p.retryAfterSeconds)}.`,
  },
  'too-many-wallet-changes': {
    status: 429,
    text: (p: { retryAfterSeconds: number }) =>
      `You have changed your wallet addresses too often. Please try again in ${formatDuration(p.retryAfterSeconds)}.`,
  },
  // audit (decision 35)
  'event-not-found': {
    status: 404,
    text: (p: { number: number }) => `There is no event ${p.number.toLocaleString('en-US')} in the ledger`,
  },
  'no-merkle-proof': { status: 404, text: 'Only a purchase of a round that has ended has a Merkle proof' },
  'statement-needs-gamer': { status: 400, text: 'Please name the gamer whose account it is' },
  'invalid-statement-days': {
    status: 400,
    text: 'A statement is from one day to another, such as 2025-10-14, and of at most 366 days',
  },
  'statement-too-long': { status: 400, text: 'This statement is too long. Please choose fewer days.' },
  // access
  'not-logged-in': { status: 401, text: 'Please log in' },
  'not-yours': { status: 403, text: 'You may only do this for your own account' },
  'admin-only': { status: 403, text: 'Admin access required' },
  'auditor-only': { status: 403, text: 'Auditor access required' },
  'origin-not-allowed': { status: 403, text: 'This request did not come from an allowed origin' },
  'not-in-your-downline': { status: 403, text: 'You may only open your own genealogy or your downline’s' },
  'idempotency-key-reused': { status: 409, text: 'This Idempotency-Key was used for a different request' },
  'invalid-idempotency-key': { status: 400, text: 'Idempotency-Key must be 1 to 64 letters, digits, _ or -' },
  'invalid-position': { status: 400, text: 'X-After-Position must be a log position' },
  // requests that no controller reads
  'invalid-request': { status: 400, text: 'The request is not valid' },
  'invalid-json': { status: 400, text: 'The request is not valid JSON' },
  'unreadable-request': { status: 400, text: 'The request could not be read' },
  'unwritable-text': { status: 400, text: 'The request holds characters that no text has' },
  'request-too-large': { status: 413, text: 'The request is too large' },
  'not-found': { status: 404, text: 'Not found' },
  unavailable: {
    status: 503,
    text: 'The game server cannot confirm this right now. Nothing was lost; please try again.',
  },
  'clock-untrusted': {
    status: 503,
    text: 'This game server is checking its clock and takes nothing until it is right. Nothing was lost; please try again.',
  },
  unexpected: { status: 500, text: 'Something went wrong. Please try again.' },
} as const;

export type RefusalCode = keyof typeof refusals;
export const REFUSAL_CODES = Object.keys(refusals) as RefusalCode[];
type TextParameters<C extends RefusalCode> = (typeof refusals)[C]['text'] extends (p: infer P) => string
  ? P
  : undefined;

/** A code whose text needs no parameters. */
export type PlainRefusalCode = {
  [C in RefusalCode]: TextParameters<C> extends undefined ? C : never;
}[RefusalCode];

/** The reason why a command was not carried out: a code, and the parameters of its text. */
export type Refusal =
  | { code: PlainRefusalCode }
  | {
      [C in Exclude<RefusalCode, PlainRefusalCode>]: { code: C; parameters: TextParameters<C> };
    }[Exclude<RefusalCode, PlainRefusalCode>];

function formatDuration(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The sentence a person reads. */
export function refusalText(refusal: Refusal): string {
  const text: string | ((parameters: never) => string) = refusals[refusal.code].text;
  return typeof text === 'string' ? text : text(('parameters' in refusal ? refusal.parameters : undefined) as never);
}

export const refusalStatus = (code: RefusalCode): number => refusals[code].status;
