import {
  ANY,
  BACKWARDS,
  END,
  NO_STREAM,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { startScavenge } from '../start-scavenge.js';
import { collect, events, freshStream, rejection, revisionsOf, StoreUnderTest } from './store-under-test.js';

let store: StoreUnderTest;
beforeAll(async () => {
  store = await StoreUnderTest.open();
});
afterAll(() => store.close());

async function streamOf(count: number): Promise<string> {
  const stream = freshStream();
  await store.client.appendToStream(stream, events(count));
  return stream;
}

describe('stream metadata', () => {
  it('is stored and returned whole', async () => {
    const stream = await streamOf(1);
    const metadata = {
      maxCount: 100,
      maxAge: 3_600,
      truncateBefore: 1,
      cacheControl: 60,
      acl: { readRoles: ['$all'], writeRoles: ['admin'] },
      owner: { team: 'game' },
    };
    await store.client.setStreamMetadata(stream, metadata);
    expect(await store.client.getStreamMetadata(stream)).toMatchObject({ streamName: stream, metadata });
  });

  it('is empty for a stream without any', async () => {
    const stream = await streamOf(1);
    expect(await store.client.getStreamMetadata(stream)).toEqual({ streamName: stream });
  });

  it('has revisions of its own', async () => {
    const stream = await streamOf(1);
    await store.client.setStreamMetadata(stream, { maxCount: 3 }, { expectedRevision: NO_STREAM });
    const refused = store.client.setStreamMetadata(stream, { maxCount: 4 }, { expectedRevision: NO_STREAM });
    expect(await rejection(refused)).toBeInstanceOf(WrongExpectedVersionError);
    await store.client.setStreamMetadata(stream, { maxCount: 5 }, { expectedRevision: 0n });
    expect(await store.client.getStreamMetadata(stream)).toMatchObject({ metadata: { maxCount: 5 } });
  });

  it.each([
    ['$maxCount', { maxCount: 2 }, [4, 5]],
    ['$maxCount beyond what there is', { maxCount: 50 }, [0, 1, 2, 3, 4, 5]],
    ['$tb', { truncateBefore: 4 }, [4, 5]],
    ['$tb beyond the end', { truncateBefore: 40 }, []],
    ['both', { maxCount: 4, truncateBefore: 3 }, [3, 4, 5]],
    ['a long $maxAge', { maxAge: 3_600 }, [0, 1, 2, 3, 4, 5]],
  ])('%s hides events from reads in both directions', async (_, metadata, visible) => {
    const stream = await streamOf(6);
    await store.client.setStreamMetadata(stream, metadata);
    expect(await revisionsOf(store.client.readStream(stream))).toEqual(visible);
    const backwards = store.client.readStream(stream, { direction: BACKWARDS, fromRevision: END });
    expect(await revisionsOf(backwards)).toEqual([...visible].reverse());
  });

  it('$maxAge hides events as they grow old', async () => {
    const stream = await streamOf(3);
    await store.client.setStreamMetadata(stream, { maxAge: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await store.client.appendToStream(stream, events(1));
    expect(await revisionsOf(store.client.readStream(stream))).toEqual([3]);
  });

  it('$maxCount lets newer events push older ones out', async () => {
    const stream = await streamOf(3);
    await store.client.setStreamMetadata(stream, { maxCount: 2 });
    await store.client.appendToStream(stream, events(2));
    expect(await revisionsOf(store.client.readStream(stream))).toEqual([3, 4]);
  });
});

describe('deleting a stream', () => {
  it('makes it missing, and a later append continues its numbering', async () => {
    const stream = await streamOf(3);
    await store.client.deleteStream(stream, { expectedRevision: 2n });
    expect(await rejection(collect(store.client.readStream(stream)))).toBeInstanceOf(StreamNotFoundError);
    const { nextExpectedRevision } = await store.client.appendToStream(stream, events(2), {
      expectedRevision: NO_STREAM,
    });
    expect(nextExpectedRevision).toBe(4n);
    expect(await revisionsOf(store.client.readStream(stream))).toEqual([3, 4]);
  });

  it('allows an append at the last revision, but none that expects the stream to exist', async () => {
    const stream = await streamOf(2);
    await store.client.deleteStream(stream);
    const exists = store.client.appendToStream(stream, events(1), { expectedRevision: 'stream_exists' });
    expect(await rejection(exists)).toBeInstanceOf(StreamDeletedError);
    await store.client.appendToStream(stream, events(1), { expectedRevision: 1n });
    expect(await revisionsOf(store.client.readStream(stream))).toEqual([2]);
  });

  it.each([[ANY], [NO_STREAM]] as const)(
    'is refused for a stream that never existed with %s, but tombstoning it is not',
    async (expectedRevision) => {
      const stream = freshStream();
      const refused = await rejection(store.client.deleteStream(stream, { expectedRevision }));
      expect(refused).toBeInstanceOf(WrongExpectedVersionError);
      await store.client.tombstoneStream(stream, { expectedRevision });
    },
  );

  it.each([[ANY], [NO_STREAM]] as const)(
    'is accepted for a stream that has only metadata with %s',
    async (expectedRevision) => {
      const stream = freshStream();
      await store.client.setStreamMetadata(stream, { maxCount: 3 });
      await store.client.deleteStream(stream, { expectedRevision });
      await store.client.appendToStream(stream, events(1), { expectedRevision: NO_STREAM });
    },
  );

  it('is accepted for a deleted stream with no stream', async () => {
    const stream = await streamOf(2);
    await store.client.deleteStream(stream);
    await store.client.deleteStream(stream, { expectedRevision: NO_STREAM });
  });

  it('leaves its events in $all', async () => {
    const stream = await streamOf(2);
    await store.client.deleteStream(stream);
    const left = (await collect(store.client.readAll())).filter(({ event }) => event?.streamId === stream);
    expect(left).toHaveLength(2);
  });

  it.each([
    ['a wrong revision', 0n],
    ['no stream', NO_STREAM],
  ] as const)('is refused when it expects %s', async (_, expectedRevision) => {
    const stream = await streamOf(2);
    const refused = await rejection(store.client.deleteStream(stream, { expectedRevision }));
    expect(refused).toBeInstanceOf(WrongExpectedVersionError);
    expect(refused).toMatchObject({ streamName: stream, actualVersion: 1n });
    expect(await revisionsOf(store.client.readStream(stream))).toEqual([0, 1]);
  });
});

describe('a tombstone', () => {
  it('refuses every read, append, delete and metadata for ever', async () => {
    const stream = await streamOf(2);
    await store.client.tombstoneStream(stream, { expectedRevision: 1n });
    const credentials = { username: 'admin', password: 'changeit' };
    const attempts = [
      () => collect(store.client.readStream(stream)),
      () => store.client.appendToStream(stream, events(1)),
      () => store.client.appendToStream(stream, events(1), { expectedRevision: NO_STREAM }),
      () => store.client.appendToStream(stream, events(1), { credentials }),
      () => store.client.deleteStream(stream, { expectedRevision: ANY }),
      () => store.client.tombstoneStream(stream, { expectedRevision: ANY }),
      () => store.client.setStreamMetadata(stream, { maxCount: 1 }),
    ];
    for (const attempt of attempts) expect(await rejection(attempt())).toBeInstanceOf(StreamDeletedError);
  });

  it('is refused when it expects a wrong revision', async () => {
    const stream = await streamOf(2);
    const refused = store.client.tombstoneStream(stream, { expectedRevision: 7n });
    expect(await rejection(refused)).toBeInstanceOf(WrongExpectedVersionError);
  });

  it('still refuses everything and stays in $all when the store is scavenged', async () => {
    const stream = await streamOf(2);
    await store.client.tombstoneStream(stream);
    expect(await startScavenge(store.connectionString)).toBe(true);
    const kept = (await collect(store.client.readAll())).filter(({ event }) => event?.streamId === stream);
    expect(kept.at(-1)?.event?.type).toBe('$streamDeleted');
    expect(await rejection(collect(store.client.readStream(stream)))).toBeInstanceOf(StreamDeletedError);
    expect(await rejection(store.client.appendToStream(stream, events(1)))).toBeInstanceOf(StreamDeletedError);
  });

  it('is an event in $all', async () => {
    const stream = await streamOf(1);
    await store.client.tombstoneStream(stream);
    const last = (await collect(store.client.readAll())).filter(({ event }) => event?.streamId === stream).at(-1);
    expect(last?.event).toMatchObject({ type: '$streamDeleted', revision: 9_223_372_036_854_775_807n });
  });
});
