import { type Beat, Liveness, type LivenessStore } from './liveness.store.js';

const SECOND = 1_000;
const YEAR = 365 * 86_400 * SECOND;

let nowMs: number;
let beats: Beat[];
let deletedBeforeMs: number | undefined;
let hasOtherNodes: boolean;
let clock: { now(): number; fault: string | null };
let ledger: { lastContactAtMs: number; lastEventAtMs: number; isAlone: boolean };
let liveness: Liveness;

const table = {
  record: async (beat: Beat) => {
    beats.push(beat);
    return hasOtherNodes;
  },
  lastAliveOfStreaksBy: async (epochMs: number) =>
    beats.findLast(({ aliveSinceMs }) => aliveSinceMs <= epochMs)?.lastAliveAtMs ?? null,
  deleteBefore: async (epochMs: number) => {
    deletedBeforeMs = epochMs;
  },
};

async function passSeconds(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    nowMs += SECOND;
    ledger.lastContactAtMs = nowMs;
    await jest.advanceTimersByTimeAsync(SECOND);
  }
}

beforeEach(async () => {
  jest.useFakeTimers();
  nowMs = 3 * YEAR;
  beats = [];
  hasOtherNodes = false;
  clock = { now: () => nowMs, fault: null };
  ledger = { lastContactAtMs: nowMs, lastEventAtMs: 0, isAlone: false };
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

it('deletes streaks that ended two years ago, as a new one begins', () => {
  expect(deletedBeforeMs).toBe(YEAR);
});

it('tells the ledger whether another node was alive in the last three seconds', async () => {
  expect(beats.at(-1)).toEqual({
    nodeId: 'one',
    aliveSinceMs: 3 * YEAR,
    lastAliveAtMs: nowMs,
    othersSinceMs: nowMs - 3_000,
  });
  expect(ledger.isAlone).toBe(true);
  hasOtherNodes = true;
  await passSeconds(1);
  expect(ledger.isAlone).toBe(false);
});

it('does not count time in which the clock was not trusted, because the node refused every purchase', async () => {
  const before = nowMs;
  clock.fault = 'the clock is 300 ms ahead of Postgres’ clock';
  await passSeconds(10);
  expect(await liveness.lastAliveAround(before + 5 * SECOND)).toBeNull();
  clock.fault = null;
  await passSeconds(1);
  expect(await liveness.lastAliveAround(before + 5 * SECOND)).toBe(before);
});
