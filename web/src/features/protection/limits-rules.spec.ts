import { NO_LIMITS } from '../../../../contracts/limits.js';
import { orderOfLimits, textsOf } from './limits-rules.js';

const none = { day: null, week: null, month: null };

it('shows limits as dollars, and reads them back', () => {
  const limits = { ...NO_LIMITS, spending: { day: 1_250, week: null, month: 0 }, loss: { ...none, month: 10_000 } };
  const texts = textsOf(limits);
  expect(texts).toMatchObject({ spendingDay: '12.50', spendingWeek: '', spendingMonth: '0.00', lossMonth: '100.00' });
  expect(orderOfLimits(texts)).toEqual({
    request: {
      ...{ spendingDay: 1_250, spendingWeek: null, spendingMonth: 0 },
      ...{
        depositsDay: null,
        depositsWeek: null,
        depositsMonth: null,
        lossDay: null,
        lossWeek: null,
        lossMonth: 10_000,
      },
    },
  });
});

it('names each field that is no limit', () => {
  const text = 'A limit is an amount in whole cents, from $0.00 to $1,000,000.00';
  expect(
    orderOfLimits({ ...textsOf(NO_LIMITS), lossDay: 'ten', depositsWeek: '-1', spendingDay: '1000000.01' }),
  ).toEqual({
    problems: { lossDay: text, depositsWeek: text, spendingDay: text },
  });
});
