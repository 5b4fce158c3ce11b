import { Ticks } from './ticks.js';

let ticksAtMs: number[];
/** How long a tick takes, and how much of that it says it was sending. */
let takesMs: number;
let sendingMs: number;
let ticks: Ticks;

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  ticksAtMs = [];
  [takesMs, sendingMs] = [0, 0];
  ticks = new Ticks(async () => {
    ticksAtMs.push(Math.round(performance.now()));
    if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs));
    return sendingMs;
  });
});
afterEach(() => {
  ticks.stop();
  jest.useRealTimers();
});

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

it('runs at once after a quiet time, but never in the turn of the request', async () => {
  ticks.request(false);
  expect(ticksAtMs).toEqual([]);
  await pass(0);
  expect(ticksAtMs).toEqual([0]);
});

it('runs at most once in 16 ms, for all requests since the last tick', async () => {
  for (let index = 0; index < 20; index += 1) {
    ticks.request(false);
    await pass(2);
  }
  await pass(1_000);
  expect(ticksAtMs).toEqual([0, 16, 32, 48]);
});

it('does not let an urgent request wait for the next tick', async () => {
  ticks.request(false);
  await pass(10);
  ticks.request(false);
  ticks.request(true);
  await pass(1_000);
  expect(ticksAtMs).toEqual([0, 10]);
});

it('rests as long as sending took, also before an urgent tick', async () => {
  sendingMs = 80;
  ticks.request(false);
  await pass(10);
  ticks.request(true);
  await pass(1_000);
  expect(ticksAtMs).toEqual([0, 80]);
});

it('runs again for a request that came during a tick', async () => {
  takesMs = 20;
  ticks.request(false);
  await pass(5);
  ticks.request(true);
  await pass(1_000);
  expect(ticksAtMs).toEqual([0, 21]);
});

it('ignores requests after it was stopped', async () => {
  ticks.request(false);
  ticks.stop();
  ticks.request(true);
  await pass(1_000);
  expect(ticksAtMs).toEqual([]);
});
