import { batchUpdate, flushUpdates } from './live-events.js';

beforeAll(() => jest.useFakeTimers());
afterEach(() => flushUpdates());
afterAll(() => jest.useRealTimers());

it('runs fifty requests a second at most four times a second, the newest each time', () => {
  const ran: number[] = [];
  jest.advanceTimersByTime(1_000);
  for (let request = 1; request <= 150; request += 1) {
    batchUpdate('board', () => ran.push(request));
    jest.advanceTimersByTime(20);
  }
  jest.advanceTimersByTime(250);
  expect(ran.length).toBeLessThanOrEqual(13);
  expect(ran.at(-1)).toBe(150);
});

it('runs a lone request within a moment, together with requests that follow at once', () => {
  const ran: string[] = [];
  jest.advanceTimersByTime(1_000);
  batchUpdate('board', () => ran.push('board'));
  batchUpdate('feed', () => ran.push('feed'));
  expect(ran).toEqual([]);
  jest.advanceTimersByTime(20);
  expect(ran).toEqual(['board', 'feed']);
});

it('runs a waiting request when a phase changes, and only once', () => {
  const ran: string[] = [];
  batchUpdate('board', () => ran.push('board'));
  flushUpdates();
  jest.advanceTimersByTime(1_000);
  expect(ran).toEqual(['board']);
});
