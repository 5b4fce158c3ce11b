import { formatCents } from './money.js';

/**
 * What the product says when it refuses. The texts are the specification's (§5, §8) where it has one.
 * A refusal travels as its code inside the server and as `{ error: text }` over HTTP.
 */
const texts = {
  // purchases (§5, buy tokens)
  'invalid-quantity': () => 'Please enter a valid quantity (minimum 1)',
  'too-many-tokens': () => 'A purchase has at most 10,000 tokens',
  'game-pregame': () => 'Game is starting soon. Please wait for the live phase.',
  'game-downtime': () => 'Game has ended. Please wait for the next round.',
  'game-idle': () => 'Game is not active yet. Please wait for the next round.',
  'no-active-game': () => 'No active game. Please wait for the next round.',
  'insufficient-balance': (p: { needCents: number; haveCents: number }) =>
    `You need ${formatCents(p.needCents)} but only have ${formatCents(p.haveCents)}`,
  'admin-cannot-buy': () => 'The admin account cannot buy tokens',
  // transfer
  'transfer-amount-required': () => 'Please enter an amount to transfer',
  'invalid-transfer-amount': () => 'Please enter a valid transfer amount',
  'transfer-exceeds-winnings': () => 'Transfer amount exceeds available winnings',
  // withdrawals (§5)
  'withdrawal-fields-required': () => 'Please fill in all required fields',
  'invalid-withdrawal-amount': () => 'Please enter a valid withdrawal amount',
  'withdrawal-below-minimum': () => 'Minimum withdrawal amount is $10.00',
  'withdrawal-exceeds-winnings': () => 'Withdrawal amount exceeds available winnings',
  'unsupported-coin': () => 'Supported coins are BTC, LTC, TRX and DOGE',
  'invalid-wallet-address': (p: { cryptoType: string }) => `This is not a valid ${p.cryptoType} address`,
  'withdrawal-not-found': () => 'Withdrawal not found',
  'withdrawal-settled': (p: { status: string }) => `This withdrawal is already ${p.status} and cannot be changed`,
  'invalid-withdrawal-status': () => 'Please choose a status',
  'profit-fields-required': () => 'Please fill in cryptocurrency type and wallet address',
  'profit-exceeds-available': (p: { availableCents: number }) =>
    `You only have ${formatCents(p.availableCents)} available for withdrawal`,
  // payments (§5, §8)
  'login-to-create-invoice': () => 'Please log in to create an invoice',
  'login-to-create-deposit': () => 'Please log in to create a deposit',
  'deposit-below-minimum': () => 'Deposit amount must be at least $7',
  'invalid-deposit-amount': () => 'Deposits are whole dollars, at most $100,000',
  'below-coin-minimum': (p: { cryptoType: string; quantity: number; cents: number }) =>
    `${p.cryptoType} payments must be at least ${formatCents(p.cents)}: please buy ${p.quantity} tokens or more`,
  'deposit-below-coin-minimum': (p: { cryptoType: string; dollars: number }) =>
    `${p.cryptoType} deposits must be at least $${p.dollars}`,
  'payment-failed': () => 'Failed to create payment',
  'gateway-unavailable': () => 'The payment service is not answering. Nothing was charged; please try again.',
  'payment-id-required': () => 'Please enter a Payment ID to lookup',
  'payment-not-found': () => 'Could not find payment with that ID',
  'payment-unpaid': (p: { status: string }) => `Nothing has arrived for this payment yet (${p.status})`,
  'gamer-tag-required': () => 'Please enter a gamer tag to assign this payment to',
  'payment-already-credited': (p: { gamerTag: string; change?: string | null | undefined }) =>
    `This payment was already credited to ${p.gamerTag}${p.change ? `. ${p.change}` : ''}`,
  'payment-already-recorded': () => 'This payment is already recorded',
  'deposit-not-found': () => 'Deposit not found',
  'deposit-settled': (p: { status: string }) => `This deposit is already ${p.status}`,
  'deposit-needs-gamer': () => 'This deposit has no gamer yet: look its payment up and assign one',
  'invalid-callback': () => 'The callback is not signed by the gateway',
  // people
  'gamer-has-pending-withdrawal': () => 'This gamer has a pending withdrawal. Complete or return it first.',
  'gamer-has-open-invoice': () => 'This gamer has an open invoice. Wait until it is paid or has expired.',
  'gamer-is-last-buyer': () => 'This gamer is the last buyer of the live round',
  'admin-cannot-be-removed': () => 'The admin account cannot be deleted',
  'invalid-reset-token': () => 'This reset link is invalid or has expired.',
  'invalid-role': () => 'The role must be gamer or auditor',
  'admin-role-is-fixed': () => 'The admin account keeps its role',
  // community and support (§5)
  'login-to-post': () => 'Please login to post messages',
  'message-required': () => 'Please enter a message to post',
  'message-too-long': () => 'Message must be 500 characters or less',
  'post-not-found': () => 'Post not found',
  'ticket-fields-required': () => 'Please fill in both subject and message',
  'ticket-subject-too-long': () => 'Subject must be 100 characters or less',
  'ticket-message-too-long': () => 'Message must be 1000 characters or less',
  'ticket-not-found': () => 'Ticket not found',
  'invalid-ticket-status': () => 'The status must be open or closed',
  'notes-too-long': () => 'Notes must be 1000 characters or less',
  // admin
  'game-not-idle': () => 'The game can only be started while it is idle',
  'game-already-live': () => 'The game is already live',
  'game-already-idle': () => 'The game is already idle',
  'round-being-decided': () => 'The countdown is over and the winner is being decided. Please try again in a moment.',
  'invalid-timers': () => 'Timers must be whole seconds, from 1 to a year; a token adds at most a day',
  'invalid-adjustment': () => 'Adjustments must be whole cents, and at least one of them not zero',
  'adjustment-below-zero': () => 'The adjustment would take a balance below zero',
  'admin-is-no-depositor': () => 'The admin account cannot be a depositor',
  'admin-has-no-balances': () => 'The admin account has no balances to adjust',
  // matrix
  'gamer-not-found': () => 'Gamer not found',
  'gamer-already-enrolled': () => 'This gamer is already enrolled',
  'referral-code-not-found': () => 'Referral code not found',
  // accounts
  'all-fields-required': () => 'All fields are required',
  'passwords-do-not-match': () => 'Passwords do not match',
  'invalid-gamer-tag': () => 'GamerTag must be 3 to 20 letters, digits, _ or -',
  'gamer-tag-taken': () => 'This GamerTag is already taken',
  'gamer-tag-reserved': () => 'This GamerTag is reserved',
  'invalid-email': () => 'Please enter a valid email address',
  'email-taken': () => 'An account with this email already exists',
  'password-too-short': () => 'Password must be at least 6 characters long',
  'password-too-long': () => 'Password must be at most 200 characters long',
  'password-too-common': () => 'This password is too common. Please choose another one.',
  'invalid-credentials': () => 'Invalid GamerTag or password',
  'too-many-attempts': (p: { retryAfterSeconds: number }) =>
    `Too many attempts. Please try again in ${p.retryAfterSeconds} seconds.`,
  'too-many-invoices': (p: { retryAfterSeconds: number }) =>
    `You have opened too many invoices. Please pay one of them, or try again in ${inWords(p.retryAfterSeconds)}.`,
  'too-many-wallet-changes': (p: { retryAfterSeconds: number }) =>
    `You have changed your wallet addresses too often. Please try again in ${inWords(p.retryAfterSeconds)}.`,
  // audit (decision 35)
  'event-not-found': (p: { number: number }) => `There is no event ${p.number.toLocaleString('en-US')} in the ledger`,
  'no-merkle-proof': () => 'Only a purchase of a round that has ended has a Merkle proof',
  'statement-needs-gamer': () => 'Please name the gamer whose account it is',
  'invalid-statement-days': () => 'A statement is from one day to another, such as 2025-10-14, and of at most 366 days',
  'statement-too-long': () => 'This statement is too long. Please choose fewer days.',
  // the door
  'not-logged-in': () => 'Please log in',
  'not-yours': () => 'You may only do this for your own account',
  'admin-only': () => 'Admin access required',
  'auditor-only': () => 'Auditor access required',
  'origin-not-allowed': () => 'This request did not come from an allowed origin',
  'not-in-your-downline': () => 'You may only open your own genealogy or your downline’s',
  'idempotency-key-reused': () => 'This Idempotency-Key was used for a different request',
  'invalid-idempotency-key': () => 'Idempotency-Key must be 1 to 64 letters, digits, _ or -',
  'invalid-position': () => 'X-After-Position must be a log position',
  'not-found': () => 'Not found',
  unavailable: () => 'The game server cannot confirm this right now. Nothing was lost; please try again.',
} as const;

export type RefusalCode = keyof typeof texts;
type TextParameters<C extends RefusalCode> = Parameters<(typeof texts)[C]> extends [infer P] ? P : undefined;

/** Why a command was not carried out: a code, and the numbers its text needs. */
export type Refusal = {
  [C in RefusalCode]: TextParameters<C> extends undefined ? { code: C } : { code: C; parameters: TextParameters<C> };
}[RefusalCode];

function inWords(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The sentence a person reads. */
export function refusalText(refusal: Refusal): string {
  const text = texts[refusal.code] as (parameters?: unknown) => string;
  return text('parameters' in refusal ? refusal.parameters : undefined);
}

const statuses: Partial<Record<RefusalCode, number>> = {
  'not-logged-in': 401,
  'invalid-credentials': 401,
  'not-yours': 403,
  'admin-only': 403,
  'auditor-only': 403,
  'event-not-found': 404,
  'no-merkle-proof': 404,
  'origin-not-allowed': 403,
  'not-in-your-downline': 403,
  'admin-cannot-buy': 403,
  'gamer-not-found': 404,
  'not-found': 404,
  'gamer-already-enrolled': 409,
  'round-being-decided': 409,
  'withdrawal-not-found': 404,
  'withdrawal-settled': 409,
  'payment-not-found': 404,
  'payment-already-credited': 409,
  'payment-already-recorded': 409,
  'deposit-not-found': 404,
  'deposit-settled': 409,
  'gateway-unavailable': 503,
  'invalid-callback': 401,
  'gamer-has-pending-withdrawal': 409,
  'gamer-has-open-invoice': 409,
  'gamer-is-last-buyer': 409,
  'admin-cannot-be-removed': 403,
  'admin-role-is-fixed': 403,
  'post-not-found': 404,
  'ticket-not-found': 404,
  'login-to-post': 401,
  'login-to-create-invoice': 401,
  'login-to-create-deposit': 401,
  'idempotency-key-reused': 409,
  'too-many-attempts': 429,
  'too-many-invoices': 429,
  'too-many-wallet-changes': 429,
  unavailable: 503,
};

/** The HTTP status of a refusal: 400 unless said otherwise (the specification reads the text of a 400). */
export const refusalStatus = (code: RefusalCode): number => statuses[code] ?? 400;
