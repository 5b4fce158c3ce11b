import { startHeartbeat } from './live-socket.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A server that answers after `delayMs`, or not at all while it is null. */
function heartbeatOf(server: { delayMs: number | null }) {
  const events: string[] = [];
  const startedAtMs = performance.now();
  const note = (what: string) => events.push(`${what} at ${Math.round(performance.now() - startedAtMs)}`);
  let pings = 0;
  const stop = startHeartbeat({
    ping: (onResponse) => {
      pings += 1;
      if (server.delayMs !== null) setTimeout(onResponse, server.delayMs);
    },
    onResponse: () => note('response'),
    onSilence: () => note('silence'),
  });
  return { events, stop, pings: () => pings };
}

it('pings every five seconds, notices a frozen server within ten seconds of its last response, and its recovery', () => {
  const server: { delayMs: number | null } = { delayMs: 40 };
  const { events, stop } = heartbeatOf(server);
  jest.advanceTimersByTime(5_100);
  server.delayMs = null;
  jest.advanceTimersByTime(30_000);
  expect(events).toEqual(['response at 40', 'response at 5040', 'silence at 14000']);
  server.delayMs = 40;
  jest.advanceTimersByTime(2_500);
  expect(events.at(-1)).toMatch(/^response/);
  stop();
});

it('does not take a slow response for silence', () => {
  const { events, stop } = heartbeatOf({ delayMs: 3_500 });
  jest.advanceTimersByTime(60_000);
  expect(events.filter((event) => event.startsWith('silence'))).toEqual([]);
  stop();
});

it('ends when it is stopped, with the responses that are under way', () => {
  const heartbeat = heartbeatOf({ delayMs: 40 });
  heartbeat.stop();
  jest.advanceTimersByTime(20_000);
  expect(heartbeat.events).toEqual([]);
  expect(heartbeat.pings()).toBe(1);
});
