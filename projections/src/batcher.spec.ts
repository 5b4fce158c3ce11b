import type { Recorded } from '../../contracts/events/recorded.js';
import { Batcher } from './batcher.js';

const event = (position: number) => ({ position: String(position) }) as Recorded;

const positions = (batch: readonly Recorded[] | null) => batch?.map(({ position }) => position);

it('makes the reader wait while a batch is full', async () => {
  const batcher = new Batcher({ maxEvents: 2, lingerMs: 1_000 });
  await batcher.add(event(1));
  await batcher.add(event(2));
  let third = false;
  const adding = batcher.add(event(3)).then(() => {
    third = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(third).toBe(false);
  expect(positions(await batcher.next())).toEqual(['1', '2']);
  await adding;
  batcher.end();
  expect(positions(await batcher.next())).toEqual(['3']);
});

it('returns the remaining events after the end, then null, and wakes a waiting reader and writer', async () => {
  const batcher = new Batcher({ maxEvents: 1, lingerMs: 1_000 });
  await batcher.add(event(1));
  const waiting = batcher.add(event(2));
  batcher.end();
  await waiting;
  expect(positions(await batcher.next())).toEqual(['1']);
  expect(await batcher.next()).toBeNull();
  const empty = new Batcher({ maxEvents: 1, lingerMs: 1_000 });
  const next = empty.next();
  empty.end();
  expect(await next).toBeNull();
});
