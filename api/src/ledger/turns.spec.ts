import type { LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import { ScriptedLine } from '../../test/faulty-log.js';
import { LedgerNode } from '../../test/ledger-node.js';
import { seededRandom } from '../../test/seeded-random.js';
import { replaceTimers } from '../../test/simulator/globals.js';
import { StreamsInMemory } from '../../test/streams-in-memory.js';
import { VirtualTime } from '../../test/virtual-time.js';
import type { Turns } from './turns.store.js';

const CONTENTION_LASTS_MS = 1_000;

/** The turns of nodes in one process: granted in the order of the requests, as Postgres grants its advisory lock. */
class FairTurns {
  given = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly time: VirtualTime) {}

  ofNode(): Turns {
    let contendedUntilMs = 0;
    return {
      contend: () => {
        contendedUntilMs = this.time.now() + CONTENTION_LASTS_MS;
      },
      begin: async () => {
        if (this.time.now() > contendedUntilMs) return undefined;
        const before = this.last;
        let end = (): void => {};
        this.last = new Promise((resolve) => {
          end = resolve;
        });
        await before;
        this.given += 1;
        return end;
      },
    };
  }
}

const fund: LedgerCommand = {
  type: 'AdjustBalance',
  gamerId: 'bob',
  purchaseCents: 1,
  winningsCents: 0,
  reason: 'opening',
};
const enrol = (gamerId: string): LedgerCommand => ({ type: 'EnrolGamer', gamerId, sponsorId: null });

describe('a ledger in turn with another node', () => {
  let time: VirtualTime;
  let restoreTimers: () => void;
  let memory: StreamsInMemory;
  let turns: FairTurns;
  let nodes: LedgerNode[];
  let random: () => number;

  beforeEach(() => {
    random = seededRandom(1);
    time = new VirtualTime(Date.UTC(2026, 0, 1, 12));
    restoreTimers = replaceTimers(time);
    memory = new StreamsInMemory();
    turns = new FairTurns(time);
    nodes = [];
  });

  afterEach(async () => {
    await time.until(Promise.all(nodes.map(({ ledger }) => ledger.stop())));
    restoreTimers();
  });

  async function node(): Promise<LedgerNode> {
    const line = new ScriptedLine();
    // Two nodes in lockstep would meet at the same moment of every append.
    line.latencyMs = () => 1 + random();
    const made = new LedgerNode(memory, line, time, { turns: turns.ofNode() });
    nodes.push(made);
    return made.start();
  }

  it('lets an idle node’s buyer through while the other node is saturated', async () => {
    const [busy, idle] = [await node(), await node()];
    await busy.do({ type: 'EnrolAdmin', gamerId: 'house' });
    await busy.do(enrol('bob'));
    await time.pass(100);
    let isOver = false;
    const closedLoop = async (owner: LedgerNode): Promise<number[]> => {
      const waits: number[] = [];
      while (!isOver) {
        const startedAtMs = time.now();
        expect(await owner.send(fund)).toEqual({ done: expect.anything() });
        waits.push(time.now() - startedAtMs);
      }
      return waits;
    };
    const busyLoops = Array.from({ length: 20 }, () => closedLoop(busy));
    const idleLoop = closedLoop(idle);
    await time.pass(600);
    isOver = true;
    const [busyWaits, idleWaits] = await time.until(Promise.all([Promise.all(busyLoops), idleLoop]));
    const slowest = (waits: number[]) => waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.99)] as number;
    expect(slowest(idleWaits)).toBeLessThanOrEqual(3 * slowest(busyWaits.flat()));
    expect(idleWaits.length).toBeGreaterThan(30);
  });
});
