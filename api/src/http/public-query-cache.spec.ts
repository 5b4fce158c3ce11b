import type { ReadCheckpoint } from './read-checkpoint.queries.js';
import { PublicQueryCache } from './read-checkpoint.queries.js';

function countedReads() {
  const checkpoint = { position: '120' as string | null, laggingViews: [] as string[] };
  const reads = new PublicQueryCache(checkpoint as unknown as ReadCheckpoint);
  let count = 0;
  const winners = () => reads.get('winners', async () => ({ read: ++count }));
  return { checkpoint, winners };
}

it('reads once for all requests at one position', async () => {
  const { checkpoint, winners } = countedReads();
  expect(await Promise.all([winners(), winners()])).toEqual([{ read: 1 }, { read: 1 }]);
  checkpoint.position = '121';
  expect(await winners()).toEqual({ read: 2 });
});

it('reads again when a rebuilt read model is swapped in without a new position', async () => {
  const { checkpoint, winners } = countedReads();
  checkpoint.laggingViews = ['winners'];
  expect(await winners()).toEqual({ read: 1 });
  checkpoint.laggingViews = [];
  expect(await winners()).toEqual({ read: 2 });
});

it('keeps nothing while the position is unknown', async () => {
  const { checkpoint, winners } = countedReads();
  checkpoint.position = null;
  expect([await winners(), await winners()]).toEqual([{ read: 1 }, { read: 2 }]);
});
