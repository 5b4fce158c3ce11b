import { Registry } from 'prom-client';
import { Refused, Unavailable } from '../platform/failures.js';
import type { LedgerLog } from './append-until-known.js';
import { LedgerMetrics } from './ledger-metrics.js';

const registry = new Registry();
const metrics = new LedgerMetrics(registry);

const samples = async () => {
  await new Promise(setImmediate);
  return (await registry.metrics()).split('\n').filter((line) => !line.startsWith('#'));
};

it('counts commands by type and outcome', async () => {
  const failures = [new Refused('admin-cannot-buy'), new Unavailable('away'), new Error('a fault')];
  metrics.countCommand('BuyTokens', Promise.resolve());
  for (const failure of failures) metrics.countCommand('BuyTokens', Promise.reject(failure));
  const results = ['accepted', 'admin-cannot-buy', 'unavailable', 'failed'];
  const expected = results.map((result) => `ledger_commands_total{type="BuyTokens",result="${result}"} 1`);
  expect(await samples()).toEqual(expect.arrayContaining(expected));
});

it('counts appends that were done and that failed, and their events; reads pass through', async () => {
  const append = jest.fn().mockResolvedValueOnce('7').mockRejectedValueOnce(new Error('another node was first'));
  const readStream = jest.fn().mockReturnValue('events');
  const log = metrics.measure({ append, readStream } as unknown as LedgerLog);
  expect(log.readStream('ledger', { fromRevision: 4 })).toBe('events');
  const events = [{}, {}, {}] as Parameters<LedgerLog['append']>[1];
  expect(await log.append('ledger', events, 4)).toBe('7');
  await expect(log.append('ledger', events, 4)).rejects.toThrow('another node');
  expect(append).toHaveBeenCalledWith('ledger', events, 4);
  expect(await samples()).toEqual(
    expect.arrayContaining([
      'ledger_append_duration_seconds_count{result="done"} 1',
      'ledger_append_duration_seconds_count{result="failed"} 1',
      'ledger_append_events_bucket{le="2"} 0',
      'ledger_append_events_bucket{le="5"} 2',
      'ledger_append_events_sum 6',
    ]),
  );
});
