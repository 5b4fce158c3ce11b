import { dayInNewYork } from '../../../contracts/new-york.js';
import type { BatchLimits } from '../batcher.js';
import { MemoryLog } from '../testing/memory-log.js';
import { Story } from '../testing/story.js';
import { Workplace } from '../testing/worker.js';
import { dailyTotalsView } from './daily-totals.view.js';

// Long enough for a machine that is busy with other things.
jest.setTimeout(120_000);

let at: Workplace;
beforeEach(async () => {
  at = await Workplace.open();
});
afterEach(() => at.close());

const kept = async () =>
  (
    await at.db.query<{
      day: string;
      profit_cents: string;
      purchases: string;
      deposits_cents: string;
      deposits: string;
    }>('SELECT day::text, profit_cents, purchases, deposits_cents, deposits FROM daily_totals ORDER BY day')
  ).rows;

it.each<[string, BatchLimits]>([
  ['event by event', { maxEvents: 1, lingerMs: 0 }],
  ['in batches, some of them delivered again', { maxEvents: 40, lingerMs: 5 }],
])('are the purchases and deposits of each day, %s', async (_, limits) => {
  const story = new Story(11).steps(400);
  const log = new MemoryLog(limits.maxEvents > 1 ? 3 : 0);
  log.add(story.log);
  const { failures } = at.start(log, { views: [dailyTotalsView], limits });
  await at.reached(story.log.at(-1)?.position as string);
  expect(failures).toEqual([]);

  const days = [...new Set(story.log.map(({ metadata }) => dayInNewYork(metadata.at)))].sort();
  const expected = days.map((day) => {
    const events = story.log.filter(({ metadata }) => dayInNewYork(metadata.at) === day).map(({ event }) => event);
    const bought = events.flatMap((event) => (event.type === 'TokenPurchased' ? [event.data] : []));
    const credited = events.flatMap((event) => (event.type === 'DepositApproved' ? [event.data] : []));
    return {
      day,
      profit_cents: `${bought.reduce((sum, { quantity }) => sum + 2 * quantity, 0)}`,
      purchases: `${bought.length}`,
      deposits_cents: `${credited.reduce((sum, { amountCents }) => sum + amountCents, 0)}`,
      deposits: `${credited.length}`,
    };
  });
  const withSomething = expected.filter(({ purchases, deposits }) => purchases !== '0' || deposits !== '0');
  expect(withSomething.length).toBeGreaterThan(1);
  expect(await kept()).toEqual(withSomething);
});

it('part the day at midnight in New York; unclaimed cents, fees and withdrawn profit are no profit', async () => {
  const story = new Story(1);
  const gamerId = story.join();
  const money = { amountCents: 2_000, feeCents: 100, cryptoType: 'LTC' } as const;
  story.nowMs = Date.UTC(2026, 6, 2, 3, 59, 59, 999);
  story.tell({ type: 'ForceStartLive' });
  story.tell({ type: 'BuyTokens', buyerId: gamerId, quantity: 600 });
  story.tell({ type: 'CreditDeposit', paymentId: 'before', gamerId, money });
  story.nowMs += 1;
  story.tell({ type: 'CreditDeposit', paymentId: 'after', gamerId, money });
  story.tell({ type: 'BuyTokens', buyerId: gamerId, quantity: 1 });
  const payout = {
    amountCents: 1_000,
    cryptoType: 'BTC',
    walletAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
  } as const;
  expect(story.tell({ type: 'RequestProfitWithdrawal', payout })).toHaveLength(1);

  const log = new MemoryLog();
  log.add(story.log);
  at.start(log, { views: [dailyTotalsView] });
  await at.reached(story.log.at(-1)?.position as string);
  expect(await kept()).toEqual([
    { day: '2026-07-01', profit_cents: '1200', purchases: '1', deposits_cents: '2000', deposits: '1' },
    { day: '2026-07-02', profit_cents: '2', purchases: '1', deposits_cents: '2000', deposits: '1' },
  ]);
});
