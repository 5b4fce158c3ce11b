import { Liveness } from './liveness.js';
import type { Beat, LivenessStore } from './liveness.store.js';

const SECOND = 1_000;
const YEAR = 365 * 86_400 * SECOND;

let now: number;
let beats: Beat[];
let deletedBeforeMs: number | undefined;
/** The table's result: whether other nodes are alive, or undefined for a late beat. */
let hasOtherNodes: boolean | undefined;
let clock: { now(): number; fault: string | null };
let ledger: { lastContactAtMs: number; lastEventAtMs: number; isAlone: boolean };
let liveness: Liveness;

const table = {
  record: async (beat: Beat) => {
    if (hasOtherNodes !== undefined) beats.push(beat);
    return hasOtherNodes;
  },
  lastAliveOfStreaksBy: async (epochMs: number) =>
    beats.findLast(({ aliveSinceMs }) => aliveSinceMs <= epochMs)?.lastAliveAtMs ?? null,
  deleteBefore: async (epochMs: number) => {
    deletedBeforeMs = epochMs;
  },
};

async function passSeconds(seconds: number, hasContact = true): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    now += SECOND;
    if (hasContact) ledger.lastContactAtMs = now;
    await jest.advanceTimersByTimeAsync(SECOND);
  }
}

beforeEach(async () => {
  jest.useFakeTimers();
  now = 3 * YEAR;
  beats = [];
  hasOtherNodes = false;
  clock = { now: () => now, fault: null };
  ledger = { lastContactAtMs: now, lastEventAtMs: 0, isAlone: false };
  liveness = new Liveness('one', table as unknown as LivenessStore, ledger, clock, (error) => {
    throw error;
  });
  liveness.start();
  await passSeconds(10);
});

afterEach(() => {
  liveness.stop();
  jest.useRealTimers();
});

it('returns null without contact to the log, and after a late beat', async () => {
  hasOtherNodes = undefined;
  expect(await liveness.lastAliveAround(now - SECOND)).toBeNull();
  expect(ledger.isAlone).toBe(true);
  hasOtherNodes = false;
  await passSeconds(4, false);
  expect(await liveness.lastAliveAround(now - SECOND)).toBeNull();
});

it('deletes streaks that ended two years ago, as a new one begins', () => {
  expect(deletedBeforeMs).toBe(YEAR);
});

it('tells the ledger whether another node was alive in the last three seconds', async () => {
  expect(beats.at(-1)).toEqual({
    nodeId: 'one',
    aliveSinceMs: 3 * YEAR,
    lastAliveAtMs: now,
    othersSinceMs: now - 3_000,
  });
  expect(ledger.isAlone).toBe(true);
  hasOtherNodes = true;
  await passSeconds(1);
  expect(ledger.isAlone).toBe(false);
});

it('does not count time in which the clock was not trusted, because the node refused every purchase', async () => {
  const before = now;
  clock.fault = 'the clock is 300 ms ahead of Postgres’ clock';
  await passSeconds(10);
  expect(await liveness.lastAliveAround(before + 5 * SECOND)).toBeNull();
  clock.fault = null;
  await passSeconds(1);
  expect(await liveness.lastAliveAround(before + 5 * SECOND)).toBe(before);
});
