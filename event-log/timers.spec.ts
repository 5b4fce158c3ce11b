import { alignedInterval, untilMultipleMs } from './timers.js';

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

it('tick together, whenever they were started', () => {
  const ticks: string[] = [];
  const stop = [alignedInterval(1_000, () => ticks.push(`a ${performance.now()}`))];
  jest.advanceTimersByTime(300);
  stop.push(alignedInterval(1_000, () => ticks.push(`b ${performance.now()}`)));
  stop.push(alignedInterval(2_000, () => ticks.push(`c ${performance.now()}`)));
  jest.advanceTimersByTime(2_700);
  expect(ticks).toEqual(['a 1000', 'b 1000', 'c 2000', 'a 2000', 'b 2000', 'a 3000', 'b 3000']);
  for (const one of stop) one();
});

it.each([
  [0, 1_000],
  [500, 500],
  [501, 1_499],
])('at %s ms tick in %s ms', (nowMs, leftMs) => expect(untilMultipleMs(1_000, nowMs)).toBe(leftMs));

it('do not tick twice for a multiple when started just before it, and end when stopped', () => {
  let ticks = 0;
  jest.advanceTimersByTime(999.5);
  const stop = alignedInterval(1_000, () => {
    ticks += 1;
  });
  jest.advanceTimersByTime(100);
  expect(ticks).toBe(0);
  jest.advanceTimersByTime(1_000);
  expect(ticks).toBe(1);
  stop();
  jest.advanceTimersByTime(5_000);
  expect(ticks).toBe(1);
});
