import type { PaymentStatusResponse } from '../../../../contracts/http/payments.js';
import { fewestDollars } from '../../../../contracts/validation.js';
import { ApiError } from '../../shared/api/api-client.js';
import {
  coinProblem,
  coinText,
  depositOf,
  isOver,
  isTooLate,
  isWebPage,
  paymentFailure,
  paymentSteps,
  startingCoin,
} from './payment-rules.js';

describe('a typed deposit', () => {
  it('adds the fee of 5% on top in cents', () => {
    const order = { dollars: 20, amountCents: 2_000, feeCents: 100, totalCents: 2_100, problem: null };
    expect(depositOf('20')).toEqual(order);
    expect(depositOf(' $20')).toEqual(order);
    expect(depositOf('7').totalCents).toBe(735);
  });

  const BELOW = 'Deposit amount must be at least $7';
  it.each([
    ['', BELOW],
    ['6', BELOW],
    ['$6', BELOW],
    ['0', BELOW],
    ['-7', BELOW],
    ['12.5', 'Whole dollars only'],
    ['10,00', 'Whole dollars only'],
    ['1e5', 'Whole dollars only'],
    ['1,000', 'Please write numbers without a comma, such as 1000 or 12.50'],
    ['100000', null],
    ['100001', 'Deposits are whole dollars, at most $100,000'],
  ])('of %j has the problem: %s', (text, problem) => expect(depositOf(text).problem).toBe(problem));
});

type Status = PaymentStatusResponse['status'];
const steps = (purpose: 'deposit' | 'tokens', status: Status, credited: PaymentStatusResponse['credited'] = null) =>
  paymentSteps({ purpose, status, credited });
const states = (...payment: Parameters<typeof steps>) => steps(...payment).map(({ state }) => state);

describe('the steps of a payment', () => {
  it('go from waiting to credited', () => {
    expect(states('deposit', 'waiting')).toEqual(['now', 'later', 'later']);
    expect(states('deposit', 'confirming')).toEqual(['done', 'now', 'later']);
    expect(states('deposit', 'settled', 'approved')).toEqual(['done', 'done', 'done']);
  });

  it('stop at the payment’s last step', () => {
    expect(states('tokens', 'expired')).toEqual(['now', 'later', 'later']);
    expect(states('tokens', 'review')).toEqual(['done', 'now', 'later']);
  });

  it('end in tokens, or in the balance', () => {
    expect(steps('tokens', 'waiting')[2]?.text).toBe('Your tokens are bought');
    expect(steps('tokens', 'settled', 'tokens')[2]?.text).toBe('Your tokens are bought');
    expect(steps('tokens', 'settled', 'balance')[2]?.text).toBe('Added to your purchase balance');
    expect(steps('deposit', 'waiting')[2]?.text).toBe('Credited to your purchase balance');
    // A payment after the round of its invoice.
    expect([5, 6, null, undefined].map((live) => isTooLate({ roundId: 5 }, live))).toEqual([false, true, true, false]);
    expect(isTooLate({ roundId: null }, 6)).toBe(false);
  });

  it('are requested again until the status is final', () => {
    const statuses: Status[] = ['settled', 'expired', 'rejected', 'review', 'confirming'];
    expect(statuses.map(isOver)).toEqual([true, true, true, false, false]);
  });
});

describe('the coins’ minimums', () => {
  const minimums = { BTC: 1_875, LTC: 190, TRX: 160, DOGE: 20 };

  it('choose the first coin that takes the amount, else the one with the smallest minimum', () => {
    expect(startingCoin(minimums, 30)).toBe('DOGE');
    expect(startingCoin(minimums, 735)).toBe('LTC');
    expect(startingCoin({ ...minimums, DOGE: 200 }, 30)).toBe('TRX');
  });

  it('refuse a smaller payment before it is sent, in the server’s words', () => {
    expect(coinProblem('BTC', 30, 1_875, 30)).toBe(
      'BTC payments must be at least $18.75: please buy 63 tokens or more',
    );
    expect([1_875, 190].map(fewestDollars)).toEqual([18, 7]);
    expect(coinProblem('BTC', 735, 1_875, null)).toBe('BTC deposits must be at least $18');
    expect(coinProblem('BTC', 63 * 30, 1_875, 30)).toBeNull();
  });
});

it('writes an amount of coins without the zeros at its end', () => {
  const amounts = ['0.07740000', '12.0', '100', '0.1'];
  expect(amounts.map((amount) => coinText(amount, ''))).toEqual(['0.0774 ', '12 ', '100 ', '0.1 ']);
});

const TOO_SMALL = new ApiError(400, 'Bad Request', '{"error":"BTC deposits must be at least $15"}');

it.each([
  [TOO_SMALL, 'deposit', 'Invalid Request', 'BTC deposits must be at least $15'],
  [new ApiError(401, 'Unauthorized', ''), 'tokens', 'Authentication Error', 'Please log in to create an invoice'],
  [new ApiError(502, 'Bad Gateway', '<html>'), 'deposit', 'Error', 'Failed to create payment'],
  [new TypeError('Failed to fetch'), 'tokens', 'Error', 'Failed to create invoice'],
  [new TypeError('Failed to fetch'), 'deposit', 'Error', 'Failed to create deposit invoice'],
  [new Error('odd'), 'deposit', 'Error', 'An unexpected error occurred'],
] as const)('reports the failure %s of an invoice for %s as %s: %s', (error, purpose, title, text) => {
  expect(paymentFailure(error, purpose)).toEqual({ title, text });
});

it.each([
  ['https://nowpayments.io/payment/?iid=1', true],
  ['http://127.0.0.1:4010/payment/?iid=1', true],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['/payment', false],
  ['', false],
])('may open the payment page at %j: %s', (url, isAllowed) => {
  expect(isWebPage(url)).toBe(isAllowed);
});
