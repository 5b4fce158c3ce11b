import { mapLimits, NO_LIMITS } from '../../../../contracts/protection.js';
import { limitText } from '../../../../contracts/refusals.js';
import { limitsFrom, loweredLimits, textsOf } from './limit-rules.js';
import { reachText } from './my-protection.js';

const none = { day: null, week: null, month: null };

it('shows limits as dollars, and reads them back', () => {
  const limits = { ...NO_LIMITS, spending: { day: 1_250, week: null, month: 0 }, loss: { ...none, month: 10_000 } };
  const texts = textsOf(limits);
  expect(texts).toMatchObject({
    'spending-day': '12.50',
    'spending-week': '',
    'spending-month': '0.00',
    'loss-month': '100.00',
  });
  expect(limitsFrom(texts)).toEqual({ limits });
});

it('names each field that is not a limit', () => {
  const typed = { 'loss-day': 'ten', 'deposits-week': '-1', 'spending-day': '1000000.01' };
  expect(limitsFrom({ ...textsOf(NO_LIMITS), ...typed })).toEqual({
    problems: {
      'loss-day': 'Please enter an amount such as 20.00, not ten',
      'deposits-week': 'Please enter an amount such as 20.00, not -1',
      'spending-day': 'A limit is an amount in whole cents, from $0.00 to $1,000,000.00',
    },
  });
});

it('says what each lower limit leaves from now on, and nothing about raised and unchanged limits', () => {
  const current = {
    limits: { ...NO_LIMITS, spending: { day: 500, week: 900, month: 900 } },
    used: mapLimits(() => 60),
  };
  const asked = {
    spending: { day: 0, week: 900, month: null },
    deposits: { ...none, day: 0 },
    loss: { ...none, month: 50 },
  };
  const noonOfThursday = Date.UTC(2026, 0, 1, 17);
  expect(loweredLimits(current, asked, noonOfThursday).map(limitText)).toEqual([
    'Your spending limit is $0.00 a day. With it you cannot buy anything.',
    'Your deposit limit is $0.00 a day. With it you cannot deposit anything.',
    'Your loss limit is $0.50 a month. Nothing of it is left until Feb 01, 2026, 12:00 AM in New York.',
  ]);
});

it('names the accounts for which an exclusion holds', () => {
  expect(reachText(['jan'])).toMatch(/^This holds for your account jan\./);
  expect(reachText(['jan', 'jan_2'])).toMatch(/^This holds for your accounts jan, jan_2\./);
});
