import { readdirSync, readFileSync } from 'node:fs';
import { allViews } from '../../../projections/src/views/all-views.js';
import type { Listener } from '../platform/listener.store.js';
import { PublicQueryCache, ReadCheckpoint } from './read-checkpoint.queries.js';

function listeningCheckpoint() {
  const receivers = new Map<string, (text: string) => void>();
  const listener = {
    on: (channel: string, receive: (text: string) => void) => receivers.set(channel, receive),
    onListening: () => {},
  };
  const checkpoint = new ReadCheckpoint(listener as unknown as Listener);
  const notify = (position: string, lagging = '') => {
    receivers.get('projections_lagging')?.(lagging);
    receivers.get('projections')?.(position);
  };
  return { checkpoint, notify };
}

it('is the worker’s checkpoint while all read models follow it', () => {
  const { checkpoint, notify } = listeningCheckpoint();
  expect(checkpoint.positionOf('all')).toBeNull();
  notify('120');
  const { position } = checkpoint;
  expect([position, checkpoint.positionOf('all'), checkpoint.positionOf(['winners'])]).toEqual(['120', '120', '120']);
});

it('does not call a read model that stands still fresh, nor a query that may read it', async () => {
  const { checkpoint, notify } = listeningCheckpoint();
  notify('120', 'winners@77 journal@-1');
  expect(checkpoint.positionOf(['winners', 'gamers'])).toBe('77');
  expect(checkpoint.positionOf('all')).toBe('-1');
  expect(checkpoint.laggingViews).toEqual(['winners', 'journal']);
  expect(await checkpoint.reached('100', ['winners'], 10)).toBe(false);
  expect(await checkpoint.reached('100', 'all', 10)).toBe(false);
  // The other queries need not wait.
  expect(checkpoint.positionOf(['balances'])).toBe('120');
  expect(await checkpoint.reached('100', ['balances'])).toBe(true);
});

it('is reached when the rebuilt read model is swapped in, also without a new event', async () => {
  const { checkpoint, notify } = listeningCheckpoint();
  notify('120', 'winners@77');
  const reached = checkpoint.reached('100', ['winners']);
  notify('120');
  expect(await reached).toBe(true);
});

it('queries name read models that exist', () => {
  const names = new Set(allViews.map(({ name }) => name));
  const controllers = readdirSync('api/src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.controller.ts'),
  );
  const named = controllers.flatMap((file) =>
    [...readFileSync(`api/src/${file}`, 'utf8').matchAll(/@ReadsViews\(([^)]*)\)/g)].flatMap(([, list = '']) =>
      [...list.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name),
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  for (const name of named) expect(names).toContain(name);
});

function countedReads() {
  const checkpoint = { position: '120' as string | null, laggingViews: [] as string[] };
  const reads = new PublicQueryCache(checkpoint as unknown as ReadCheckpoint);
  let count = 0;
  const winners = () => reads.get('winners', async () => ({ read: ++count }));
  return { checkpoint, winners };
}

it('the results of public queries are read once at a position, and again when a rebuilt read model is swapped in; nothing is cached without one', async () => {
  const { checkpoint, winners } = countedReads();
  expect(await Promise.all([winners(), winners()])).toEqual([{ read: 1 }, { read: 1 }]);
  checkpoint.position = '121';
  expect(await winners()).toEqual({ read: 2 });
  checkpoint.laggingViews = ['winners'];
  expect(await winners()).toEqual({ read: 3 });
  checkpoint.position = null;
  expect([await winners(), await winners()]).toEqual([{ read: 4 }, { read: 5 }]);
});
