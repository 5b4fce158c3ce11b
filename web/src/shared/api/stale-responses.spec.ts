import { staleResponses } from './stale-responses.js';

type Pause = { count: number; stale: Set<string>; noteResponse: (path: string, isStale: boolean) => void };

/** Follows these stale paths. `onPause` says what happens in each pause, of which none lasts, and `failures` how many requests fail first. */
async function follow(paths: string[], onPause: (pause: Pause) => void = () => undefined, failures = 0) {
  const stale = new Set(paths);
  const seen = { pauses: [] as number[], requests: [] as string[], refetches: 0 };
  const { noteResponse } = staleResponses({
    async request(path) {
      seen.requests.push(path);
      if (seen.requests.length <= failures) throw new TypeError('Failed to fetch');
      noteResponse(path, stale.has(path));
    },
    async refetch() {
      seen.refetches += 1;
    },
    async sleep(timeoutMs) {
      seen.pauses.push(timeoutMs);
      await new Promise(setImmediate);
      onPause({ count: seen.pauses.length, stale, noteResponse });
    },
  });
  for (const path of paths) noteResponse(path, true);
  // Until nothing is left to do.
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  return { ...seen, noteResponse };
}

it('requests a stale response again after pauses that grow, and then fetches the page once', async () => {
  const { pauses, requests, refetches } = await follow(['/api/tickets'], ({ count, stale }) => {
    if (count === 8) stale.clear();
  });
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  expect(requests).toEqual(Array(8).fill('/api/tickets'));
  expect(refetches).toBe(1);
});

it('has one pause for all paths, and goes on while one is stale', async () => {
  const { pauses, requests, refetches } = await follow(['/api/posts', '/api/winners'], ({ count, stale }) =>
    stale.delete(count === 1 ? '/api/posts' : '/api/winners'),
  );
  expect(pauses).toEqual([1_000, 2_000]);
  expect(requests).toEqual(['/api/posts', '/api/winners', '/api/winners']);
  expect(refetches).toBe(2);
});

it('waits longer after failures, too', async () => {
  const { pauses, refetches } = await follow(['/api/tickets'], ({ stale }) => stale.clear(), 3);
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(refetches).toBe(1);
});

it('requests nothing once another query got a current response, and begins again with a short pause', async () => {
  const isCurrent = ({ noteResponse }: Pause) => noteResponse('/api/tickets', false);
  const { pauses, requests, noteResponse } = await follow(['/api/tickets'], isCurrent);
  expect(requests).toEqual([]);
  noteResponse('/api/tickets', true);
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  expect(pauses).toEqual([1_000, 1_000]);
});
