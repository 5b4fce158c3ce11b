import type { OurEvent, Recorded } from '../../../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { MemoryLog } from '../testing/memory-log.js';
import { TestWorker } from '../testing/worker.js';
import { gamersView } from './gamers.view.js';

const DAY = 24 * 60 * 60 * 1000;
const history: Recorded[] = [];

function record(at: number, event: OurEvent): void {
  const revision = history.length;
  const id = `00000000-0000-4000-8000-${String(revision).padStart(12, '0')}`;
  const metadata = { commandId: `c${revision}`, actor: { id: 'admin', role: 'admin' as const }, at, schema: 1 };
  history.push({ id, stream: LEDGER_STREAM, revision, position: String(revision * 10), event, metadata });
}

function enrol(gamerId: string, slot: number): void {
  record(0, { type: 'GamerEnrolled', data: { gamerId, sponsorId: null, parentId: 'admin', slot } });
}
const setStatus = (gamerId: string, at: number, untilMs: number | null) =>
  record(at, { type: 'DepositorStatusSet', data: { gamerId, untilMs } });

['active', 'off', 'off-twice', 'late-off', 'on-again', 'never'].forEach(enrol);
for (const gamerId of ['active', 'off', 'off-twice', 'late-off', 'on-again']) setStatus(gamerId, 1_000, DAY);
for (const gamerId of ['off', 'off-twice', 'on-again', 'never']) setStatus(gamerId, 5_000, null);
setStatus('off-twice', 9_000, null);
setStatus('late-off', 2 * DAY, null);
setStatus('on-again', 9_000, 3 * DAY);

it.each([1, 1_000])(
  'keeps the end of a depositor status that ran out or was switched off, in batches of %i',
  async (maxEvents) => {
    const worker = await TestWorker.open();
    const log = new MemoryLog();
    log.add(history);
    const { failures } = worker.start(log, { views: [gamersView], limits: { maxEvents, lingerMs: 5 } });
    await worker.reached(history.at(-1)?.position as string);
    expect(failures).toEqual([]);
    const { rows } = await worker.db.query('SELECT id, depositor_until_ms::float FROM gamers');
    expect(Object.fromEntries(rows.map((row) => [row.id, row.depositor_until_ms]))).toEqual({
      active: DAY,
      off: 4_999,
      'off-twice': 4_999,
      'late-off': DAY,
      'on-again': 3 * DAY,
      never: null,
    });
    await worker.close();
  },
);
