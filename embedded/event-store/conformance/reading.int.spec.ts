import { BACKWARDS, binaryEvent, END, FORWARDS, START, StreamNotFoundError } from '@eventstore/db-client';
import { collect, events, freshStream, rejection, revisionsOf, StoreUnderTest } from '../testing/store-under-test.js';

const store = new StoreUnderTest();
const stream = freshStream();
beforeAll(async () => {
  await store.client.appendToStream(stream, events(4));
  await store.client.appendToStream(freshStream(), events(2));
  await store.client.appendToStream(stream, events(3));
});

describe('reading a stream', () => {
  it.each([
    ['forwards', { direction: FORWARDS, fromRevision: START }, [0, 1, 2, 3, 4, 5, 6]],
    ['forwards from a revision, which is included', { direction: FORWARDS, fromRevision: 3n }, [3, 4, 5, 6]],
    ['forwards so many', { direction: FORWARDS, fromRevision: 2n, maxCount: 3 }, [2, 3, 4]],
    ['forwards from beyond the end', { direction: FORWARDS, fromRevision: 50n }, []],
    ['forwards from the end', { direction: FORWARDS, fromRevision: END }, []],
    ['backwards: the last event', { direction: BACKWARDS, fromRevision: END, maxCount: 1 }, [6]],
  ] as const)('%s', async (_, options, revisions) => {
    expect(await revisionsOf(store.client.readStream(stream, options))).toEqual(revisions);
  });

  it('throws StreamNotFoundError when it is missing', async () => {
    const missing = freshStream();
    const refused = await rejection(collect(store.client.readStream(missing)));
    expect(refused).toBeInstanceOf(StreamNotFoundError);
  });

  it('finds a name beyond ASCII', async () => {
    const name = freshStream('größe-☃');
    await store.client.appendToStream(name, events(1));
    expect(await revisionsOf(store.client.readStream(name))).toEqual([0]);
  });

  it('returns events that are not JSON as bytes', async () => {
    const name = freshStream();
    await store.client.appendToStream(name, binaryEvent({ type: 'Raw', data: Uint8Array.from([0, 255, 7]) }));
    const [read] = await collect(store.client.readStream(name));
    expect(read?.event).toMatchObject({ isJson: false });
    expect([...(read!.event!.data as Uint8Array)]).toEqual([0, 255, 7]);
  });
});

describe('reading $all', () => {
  it('has growing positions with equal commit and prepare, and each event at the position its append returned', async () => {
    const { position } = await store.client.appendToStream(stream, events(1));
    const all = await collect(store.client.readAll());
    const positions = all.map(({ event }) => event!.position);
    for (const [index, { commit, prepare }] of positions.entries()) {
      expect(prepare).toBe(commit);
      if (index > 0) expect(commit).toBeGreaterThan(positions[index - 1]!.commit);
    }
    // Other clients may have written meanwhile.
    expect(positions).toContainEqual(position);
  });

  it('is empty from the end', async () => {
    expect(await collect(store.client.readAll({ fromPosition: END }))).toEqual([]);
  });
});
