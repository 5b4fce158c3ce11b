import { Liveness } from './liveness.js';
import type { Beat, LivenessStore } from './liveness.store.js';

const SECOND = 1_000;

class LivenessInMemory {
  readonly streaks = new Map<string, { aliveSinceMs: number; lastAliveAtMs: number }>();

  async record({ nodeId, aliveSinceMs, lastAliveAtMs, othersSinceMs }: Beat): Promise<boolean> {
    this.streaks.set(`${nodeId}@${aliveSinceMs}`, { aliveSinceMs, lastAliveAtMs });
    return [...this.streaks].some(
      ([id, streak]) => !id.startsWith(`${nodeId}@`) && streak.lastAliveAtMs >= othersSinceMs,
    );
  }

  async deleteBefore(epochMs: number): Promise<void> {
    for (const [streakId, { lastAliveAtMs }] of this.streaks)
      if (lastAliveAtMs < epochMs) this.streaks.delete(streakId);
  }

  async lastAliveOfStreaksBy(epochMs: number): Promise<number | null> {
    const streaks = [...this.streaks.values()].filter(({ aliveSinceMs }) => aliveSinceMs <= epochMs);
    return streaks.length === 0 ? null : Math.max(...streaks.map(({ lastAliveAtMs }) => lastAliveAtMs));
  }
}

let now: number;
let table: LivenessInMemory;
let ledger: { lastContactAtMs: number; lastEventAtMs: number; isAlone: boolean };
let clockFault: string | null;
const errors: Error[] = [];
const nodes: Liveness[] = [];

beforeEach(() => {
  jest.useFakeTimers();
  now = 100 * SECOND;
  table = new LivenessInMemory();
  ledger = { lastContactAtMs: now, lastEventAtMs: 0, isAlone: false };
  clockFault = null;
  errors.length = 0;
});

afterEach(() => {
  for (const node of nodes.splice(0)) node.stop();
  jest.useRealTimers();
});

function node(id: string): Liveness {
  const made = new Liveness(
    id,
    table as unknown as LivenessStore,
    ledger,
    {
      now: () => now,
      get fault() {
        return clockFault;
      },
    },
    (error) => errors.push(error),
  );
  made.start();
  nodes.push(made);
  return made;
}

async function passSeconds(seconds: number, hasContact = true): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    now += SECOND;
    if (hasContact) ledger.lastContactAtMs = now;
    await jest.advanceTimersByTimeAsync(SECOND);
  }
}

async function aliveForTenSeconds() {
  const one = node('one');
  await passSeconds(10);
  return { one, before: now };
}

it('is unknown without contact to the log', async () => {
  const one = node('one');
  await passSeconds(10);
  await passSeconds(4, false);
  expect(await one.lastAliveAround(now - SECOND)).toBeNull();
});

it('deletes streaks that ended years ago', async () => {
  table.streaks.set('old', { aliveSinceMs: 0, lastAliveAtMs: 1 });
  now = 3 * 365 * 86_400 * SECOND;
  ledger.lastContactAtMs = now;
  node('one');
  await jest.advanceTimersByTimeAsync(0);
  expect([...table.streaks.keys()]).toEqual([`one@${now}`]);
});

it('tells the ledger whether another node was alive in the last three seconds', async () => {
  node('one');
  await passSeconds(1);
  expect(ledger.isAlone).toBe(true);
  const two = node('two');
  await passSeconds(1);
  expect(ledger.isAlone).toBe(false);
  two.stop();
  await passSeconds(5);
  expect(ledger.isAlone).toBe(true);
});

it('does not count time in which the clock was not trusted, because the node refused every purchase', async () => {
  const { one, before } = await aliveForTenSeconds();
  clockFault = 'the clock is 300 ms ahead of Postgres’ clock';
  await passSeconds(10);
  expect(await one.lastAliveAround(before + 5 * SECOND)).toBeNull();
  clockFault = null;
  await passSeconds(1);
  expect(await one.lastAliveAround(before + 5 * SECOND)).toBe(before);
});
