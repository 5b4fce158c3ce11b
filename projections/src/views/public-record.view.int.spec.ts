import type { BatchLimits } from '../batcher.js';
import { MemoryLog } from '../testing/memory-log.js';
import { RandomGame } from '../testing/scenario.js';
import { TestWorker } from '../testing/worker.js';
import { publicRecordView } from './public-record.view.js';

const worker = TestWorker.forTests('each');

const timers = (liveDurationSeconds: number) => ({
  pregameDurationSeconds: 180,
  liveDurationSeconds,
  downtimeDurationSeconds: 14_400,
  tokenExtensionSeconds: 30,
});

it.each<[string, BatchLimits]>([
  ['event by event', { maxEvents: 1, lingerMs: 0 }],
  ['in batches with redelivered events', { maxEvents: 40, lingerMs: 5 }],
])('lists resets, timers, outages and losses, and sums the adjustments of New York’s days, %s', async (_, limits) => {
  const scenario = new RandomGame(3);
  const gamerId = scenario.join();
  scenario.submit({ type: 'ChangeTimers', timers: timers(60) });
  scenario.submit({ type: 'ChangeTimers', timers: timers(90) });
  scenario.nowMs = Date.UTC(2026, 6, 2, 3, 59, 59);
  const adjust = (purchaseCents: number, winningsCents: number) =>
    scenario.submit({ type: 'AdjustBalance', gamerId, purchaseCents, winningsCents, reason: 'about a gamer' });
  adjust(900, 0);
  adjust(-1, 0);
  scenario.nowMs += 1_000;
  adjust(-100, 50);
  adjust(-200, 0);
  scenario.submit({ type: 'ForceStartLive' });
  scenario.submit({ type: 'BuyTokens', buyerId: gamerId, quantity: 1 });
  const lastAliveAtMs = scenario.nowMs;
  scenario.nowMs += 1_000_000;
  expect(scenario.submit({ type: 'AdvanceClock', lastAliveAtMs })).toHaveLength(1);
  scenario.submit({ type: 'ResetGame', reason: 'The outage was ours' });
  const signed = { signedOrigin: 'play.example/ledger', signedSize: 400, signedRoot: 'ab'.repeat(32) };
  scenario.submit({ type: 'AcceptLoss', signed, acceptedBy: 'Ada', reason: 'A lost disk' });

  const log = new MemoryLog(limits.maxEvents > 1 ? 3 : 0);
  log.add(scenario.log);
  await worker.project(log, { views: [publicRecordView], limits });
  const { rows } = await worker.db.query(
    `SELECT event ->> 'type' AS type, event -> 'data' ->> 'reason' AS reason, event -> 'data' -> 'purchaseCount' AS count,
       timers_before ->> 'liveDurationSeconds' AS before FROM public_record ORDER BY revision`,
  );
  expect(rows).toEqual([
    { type: 'TimersChanged', reason: null, count: null, before: '120' },
    { type: 'TimersChanged', reason: null, count: null, before: '60' },
    { type: 'LiveStarted', reason: null, count: null, before: null },
    { type: 'LiveResumed', reason: null, count: null, before: null },
    { type: 'GameReset', reason: 'The outage was ours', count: 1, before: null },
    { type: 'HistoryLost', reason: 'A lost disk', count: null, before: null },
  ]);
  const days = await worker.db.query(
    'SELECT day::text, adjustments, added_cents, taken_cents FROM daily_adjustments ORDER BY day',
  );
  expect(days.rows.slice(-2)).toEqual([
    { day: '2026-07-01', adjustments: '2', added_cents: '900', taken_cents: '1' },
    { day: '2026-07-02', adjustments: '2', added_cents: '50', taken_cents: '300' },
  ]);
  const { rows: texts } = await worker.db.query('SELECT public_record::text AS row FROM public_record');
  expect(JSON.stringify(texts)).not.toContain('about a gamer');
});
