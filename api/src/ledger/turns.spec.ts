import type { Pool } from 'pg';
import type { LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import { ScriptedLine } from '../../test/faulty-log.js';
import { LedgerNode } from '../../test/ledger-node.js';
import { replaceTimers } from '../../test/simulator/globals.js';
import { StreamsInMemory } from '../../test/streams-in-memory.js';
import { VirtualTime } from '../../test/virtual-time.js';
import { PostgresTurns } from './turns.store.js';

const FUND: LedgerCommand = {
  type: 'AdjustBalance',
  gamerId: 'bob',
  purchaseCents: 1,
  winningsCents: 0,
  reason: 'opening',
};

/** An advisory lock that is granted in the order of the requests, as Postgres does. */
function lockPool(): Pool {
  let last = Promise.resolve();
  const connect = async () => {
    let unlock = (): void => {};
    const query = (sql: string): Promise<void> => {
      if (sql.includes('unlock')) return Promise.resolve(unlock());
      const before = last;
      last = new Promise((resolve) => {
        unlock = resolve;
      });
      return before;
    };
    return { query, release: () => {} };
  };
  return { connect } as unknown as Pool;
}

let restoreTimers: () => void;
afterEach(() => restoreTimers());

// Without turns the slower node's append comes too late each time, until the faster one pauses.
it('lets a buyer of a slower node through while a faster one is saturated', async () => {
  const time = new VirtualTime(Date.UTC(2026, 0, 1, 12));
  restoreTimers = replaceTimers(time);
  const [memory, pool] = [new StreamsInMemory(), lockPool()];
  const node = (latency: number): Promise<LedgerNode> => {
    const line = Object.assign(new ScriptedLine(), { latency });
    return new LedgerNode(memory, line, time, { turns: new PostgresTurns(pool) }).start();
  };
  const [fast, slow] = [await node(1), await node(6)];
  await fast.do({ type: 'EnrolAdmin', gamerId: 'admin' });
  await fast.do({ type: 'EnrolGamer', gamerId: 'bob', sponsorId: null });
  let isOver = false;
  const waitsOf = async (owner: LedgerNode): Promise<number[]> => {
    const waits: number[] = [];
    while (!isOver) {
      const startedAtMs = time.now();
      expect(await owner.send(FUND)).toEqual({ done: expect.anything() });
      waits.push(time.now() - startedAtMs);
    }
    return waits;
  };
  const all = Promise.all([waitsOf(slow), ...Array.from({ length: 5 }, () => waitsOf(fast))]);
  await time.pass(1_000);
  isOver = true;
  const [slows, ...fasts] = await time.until(all);
  expect(Math.max(...slows)).toBeLessThan(400);
  expect(fasts.flat().length).toBeGreaterThan(200);
  await time.until(Promise.all([fast, slow].map(({ ledger }) => ledger.stop())));
});
