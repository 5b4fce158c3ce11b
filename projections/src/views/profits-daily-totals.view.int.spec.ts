import { dayInNewYork } from '../../../contracts/new-york.js';
import type { BatchLimits } from '../batcher.js';
import { MemoryLog } from '../testing/memory-log.js';
import { Scenario } from '../testing/scenario.js';
import { TestWorker } from '../testing/worker.js';
import { dailyTotalsView } from './profits-daily-totals.view.js';

let worker: TestWorker;
beforeEach(async () => {
  worker = await TestWorker.open();
});
afterEach(() => worker.close());

const kept = async () =>
  (
    await worker.db.query<{
      day: string;
      profit_cents: string;
      purchases: string;
      deposits_cents: string;
      deposits: string;
    }>('SELECT day::text, profit_cents, purchases, deposits_cents, deposits FROM daily_totals ORDER BY day')
  ).rows;

describe('daily totals', () => {
  it.each<[string, BatchLimits]>([
    ['event by event', { maxEvents: 1, lingerMs: 0 }],
    ['in batches with redelivered events', { maxEvents: 40, lingerMs: 5 }],
  ])('are the purchases and deposits of each day, %s', async (_, limits) => {
    const scenario = new Scenario(11).steps(400);
    const log = new MemoryLog(limits.maxEvents > 1 ? 3 : 0);
    log.add(scenario.log);
    const { failures } = worker.start(log, { views: [dailyTotalsView], limits });
    await worker.reached(scenario.log.at(-1)?.position as string);
    expect(failures).toEqual([]);

    const days = [...new Set(scenario.log.map(({ metadata }) => dayInNewYork(metadata.at)))].sort();
    const expected = days.map((day) => {
      const events = scenario.log.filter(({ metadata }) => dayInNewYork(metadata.at) === day).map(({ event }) => event);
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
    const nonEmptyDays = expected.filter(({ purchases, deposits }) => purchases !== '0' || deposits !== '0');
    expect(nonEmptyDays.length).toBeGreaterThan(1);
    expect(await kept()).toEqual(nonEmptyDays);
  });

  it('end the day at midnight in New York; unclaimed cents, fees and withdrawn profit do not count as profit', async () => {
    const scenario = new Scenario(1);
    const gamerId = scenario.join();
    const money = { amountCents: 2_000, feeCents: 100, cryptoType: 'LTC' } as const;
    scenario.nowMs = Date.UTC(2026, 6, 2, 3, 59, 59, 999);
    scenario.submit({ type: 'ForceStartLive' });
    scenario.submit({ type: 'BuyTokens', buyerId: gamerId, quantity: 600 });
    scenario.submit({ type: 'CreditDeposit', paymentId: 'before', gamerId, money });
    scenario.nowMs += 1;
    scenario.submit({ type: 'CreditDeposit', paymentId: 'after', gamerId, money });
    scenario.submit({ type: 'BuyTokens', buyerId: gamerId, quantity: 1 });
    const payout = {
      amountCents: 1_000,
      cryptoType: 'BTC',
      walletAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
    } as const;
    expect(scenario.submit({ type: 'RequestProfitWithdrawal', payout })).toHaveLength(1);

    const log = new MemoryLog();
    log.add(scenario.log);
    worker.start(log, { views: [dailyTotalsView] });
    await worker.reached(scenario.log.at(-1)?.position as string);
    expect(await kept()).toEqual([
      { day: '2026-07-01', profit_cents: '1200', purchases: '1', deposits_cents: '2000', deposits: '1' },
      { day: '2026-07-02', profit_cents: '2', purchases: '1', deposits_cents: '2000', deposits: '1' },
    ]);
  });
});
