import { staleResponses } from './stale-responses.js';

/** A page whose paths are stale until the sources say otherwise. `sleep` returns at once, and keeps its pauses. */
function page() {
  const pauses: number[] = [];
  const requests: string[] = [];
  const stale = new Set<string>();
  let refetches = 0;
  let failures = 0;
  const responses = staleResponses({
    async request(path) {
      requests.push(path);
      if (failures > 0) {
        failures -= 1;
        throw new TypeError('Failed to fetch');
      }
      responses.note(path, stale.has(path));
    },
    async refetch() {
      refetches += 1;
    },
    async sleep(timeoutMs) {
      pauses.push(timeoutMs);
      await new Promise(setImmediate);
      onPause(pauses.length);
    },
  });
  let onPause: (count: number) => void = () => {};
  return {
    responses,
    pauses,
    requests,
    stale,
    refetches: () => refetches,
    failNext: (count: number) => {
      failures = count;
    },
    onPause: (act: (count: number) => void) => {
      onPause = act;
    },
    isAtRest: async () => {
      for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    },
  };
}

it('requests a stale response again after pauses that grow, and then fetches the page once', async () => {
  const { responses, pauses, requests, stale, refetches, onPause, isAtRest } = page();
  stale.add('/api/tickets');
  onPause((count) => count === 8 && stale.clear());
  responses.note('/api/tickets', true);
  await isAtRest();
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  expect(requests).toEqual(Array(8).fill('/api/tickets'));
  expect(refetches()).toBe(1);
});

it('requests nothing while responses are current', async () => {
  const { responses, pauses, isAtRest } = page();
  responses.note('/api/tickets', false);
  await isAtRest();
  expect(pauses).toEqual([]);
});

it('has one pause for all paths, and goes on while one is stale', async () => {
  const { responses, pauses, requests, stale, refetches, onPause, isAtRest } = page();
  stale.add('/api/winners').add('/api/posts');
  onPause((count) => stale.delete(count === 1 ? '/api/posts' : '/api/winners'));
  responses.note('/api/posts', true);
  responses.note('/api/winners', true);
  await isAtRest();
  expect(pauses).toEqual([1_000, 2_000]);
  expect(requests).toEqual(['/api/posts', '/api/winners', '/api/winners']);
  expect(refetches()).toBe(2);
});

it('waits longer after failures, too', async () => {
  const { responses, pauses, refetches, failNext, isAtRest } = page();
  failNext(3);
  responses.note('/api/tickets', true);
  await isAtRest();
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(refetches()).toBe(1);
});

it('stops when another query got a current response meanwhile, and begins again with a short pause', async () => {
  const { responses, pauses, requests, stale, onPause, isAtRest } = page();
  stale.add('/api/tickets');
  onPause(() => responses.note('/api/tickets', false));
  responses.note('/api/tickets', true);
  await isAtRest();
  expect(requests).toEqual([]);
  responses.note('/api/tickets', true);
  await isAtRest();
  expect(pauses).toEqual([1_000, 1_000]);
});
