import { fewestDollars } from '../../../../contracts/coin-minimums.js';
import type { PaymentStatusResponse } from '../../../../contracts/http/payments.js';
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

  it.each(['', '6', '$6', '0', '-7'])('refuses less than $7: %j', (text) => {
    expect(depositOf(text).problem).toBe('Deposit amount must be at least $7');
  });

  it.each([
    ['12.5', 'Whole dollars only'],
    ['10,00', 'Whole dollars only'],
    ['1e5', 'Whole dollars only'],
    ['1,000', 'Please write numbers without a comma, such as 1000 or 12.50'],
  ])('refuses %j: %s', (text, problem) => expect(depositOf(text).problem).toBe(problem));

  it('refuses more than $100,000', () => {
    expect(depositOf('100000').problem).toBeNull();
    expect(depositOf('100001').problem).toBe('Deposits are whole dollars, at most $100,000');
  });
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

describe('the toast of a failed invoice', () => {
  it('shows the server’s text of a 400', () => {
    const error = new ApiError(400, 'Bad Request', '{"error":"BTC deposits must be at least $15"}');
    const toast = { title: 'Invalid Request', text: 'BTC deposits must be at least $15' };
    expect(paymentFailure(error, 'deposit')).toEqual(toast);
  });

  it('asks visitors to log in', () => {
    const toast = { title: 'Authentication Error', text: 'Please log in to create an invoice' };
    expect(paymentFailure(new ApiError(401, 'Unauthorized', ''), 'tokens')).toEqual(toast);
  });

  it('has its own text when the server sent none', () => {
    expect(paymentFailure(new ApiError(502, 'Bad Gateway', '<html>'), 'deposit').text).toBe('Failed to create payment');
    expect(paymentFailure(new TypeError('Failed to fetch'), 'tokens').text).toBe('Failed to create invoice');
    expect(paymentFailure(new TypeError('Failed to fetch'), 'deposit').text).toBe('Failed to create deposit invoice');
    expect(paymentFailure(new Error('odd'), 'deposit').text).toBe('An unexpected error occurred');
  });
});

describe('the payment page’s address', () => {
  it.each(['https://nowpayments.io/payment/?iid=1', 'http://127.0.0.1:4010/payment/?iid=1'])('may be %j', (url) =>
    expect(isWebPage(url)).toBe(true),
  );

  it.each(['javascript:alert(1)', 'data:text/html,x', '/payment', ''])('may not be %j', (url) =>
    expect(isWebPage(url)).toBe(false),
  );
});
