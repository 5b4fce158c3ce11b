import { NO_LIMITS } from '../../../../contracts/protection.js';
import { limitsFrom, reachText, textsOf } from './my-protection.js';

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

it('names the accounts for which an exclusion holds', () => {
  expect(reachText(['jan'])).toMatch(/^This holds for your account jan\./);
  expect(reachText(['jan', 'jan_2'])).toMatch(/^This holds for your accounts jan, jan_2\./);
});
