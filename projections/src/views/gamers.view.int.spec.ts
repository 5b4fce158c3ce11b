import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { MemoryLog } from '../testing/memory-log.js';
import { TestWorker } from '../testing/worker.js';
import { gamersView } from './gamers.view.js';

const DAY = 24 * 60 * 60 * 1000;
const log = new MemoryLog();
const worker = TestWorker.forTests('all');

const setStatus = (gamerId: string, at: number, untilMs: number | null) =>
  log.record(LEDGER_STREAM, { type: 'DepositorStatusSet', data: { gamerId, untilMs } }, { at });

for (const [slot, gamerId] of ['active', 'off', 'off-twice', 'late-off', 'on-again', 'never'].entries()) {
  const data = { gamerId, sponsorId: null, parentId: 'admin', slot };
  log.record(LEDGER_STREAM, { type: 'GamerEnrolled', data }, { at: 0 });
}
for (const gamerId of ['active', 'off', 'off-twice', 'late-off', 'on-again']) setStatus(gamerId, 1_000, DAY);
for (const gamerId of ['off', 'off-twice', 'on-again', 'never']) setStatus(gamerId, 5_000, null);
setStatus('off-twice', 9_000, null);
setStatus('late-off', 2 * DAY, null);
setStatus('on-again', 9_000, 3 * DAY);

it('keeps the end of a depositor status that ran out or was switched off', async () => {
  await worker.project(log, { views: [gamersView] });
  const { rows } = await worker.db.query('SELECT id, depositor_until_ms::float FROM gamers');
  expect(Object.fromEntries(rows.map((row) => [row.id, row.depositor_until_ms]))).toEqual({
    active: DAY,
    off: 4_999,
    'off-twice': 4_999,
    'late-off': DAY,
    'on-again': 3 * DAY,
    never: null,
  });
});
