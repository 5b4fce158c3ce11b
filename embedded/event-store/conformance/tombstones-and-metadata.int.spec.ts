import { ANY, NO_STREAM, StreamDeletedError, WrongExpectedVersionError } from '@eventstore/db-client';
import { startScavenge } from '../start-scavenge.js';
import { collect, events, freshStream, rejection, StoreUnderTest } from '../testing/store-under-test.js';

const store = new StoreUnderTest();

async function streamOf(count: number): Promise<string> {
  const stream = freshStream();
  await store.client.appendToStream(stream, events(count));
  return stream;
}

it('the metadata of a stream is stored and returned whole, with revisions of its own', async () => {
  const stream = await streamOf(1);
  expect(await store.client.getStreamMetadata(stream)).toEqual({ streamName: stream });
  const metadata = { acl: { readRoles: ['$all'], writeRoles: ['admin'] }, owner: { team: 'game' } };
  await store.client.setStreamMetadata(stream, metadata, { expectedRevision: NO_STREAM });
  expect(await store.client.getStreamMetadata(stream)).toMatchObject({ streamName: stream, metadata });
  const refused = store.client.setStreamMetadata(stream, {}, { expectedRevision: NO_STREAM });
  expect(await rejection(refused)).toBeInstanceOf(WrongExpectedVersionError);
});

describe('a tombstone', () => {
  it('refuses every read, append and tombstone for ever, also after a scavenge', async () => {
    const stream = await streamOf(2);
    await store.client.tombstoneStream(stream);
    const attempts = [
      () => collect(store.client.readStream(stream)),
      () => store.client.appendToStream(stream, events(1)),
      () => store.client.appendToStream(stream, events(1), { expectedRevision: NO_STREAM }),
      () => store.client.tombstoneStream(stream, { expectedRevision: ANY }),
    ];
    for (const attempt of attempts) expect(await rejection(attempt())).toBeInstanceOf(StreamDeletedError);
    expect(await startScavenge(store.connectionString)).toBe(true);
    for (const attempt of attempts) expect(await rejection(attempt())).toBeInstanceOf(StreamDeletedError);
  });

  it('is accepted for a missing stream', async () => {
    const stream = freshStream();
    await store.client.tombstoneStream(stream);
    expect(await rejection(store.client.appendToStream(stream, events(1)))).toBeInstanceOf(StreamDeletedError);
  });

  it('is an event in $all', async () => {
    const stream = await streamOf(1);
    await store.client.tombstoneStream(stream);
    const last = (await collect(store.client.readAll())).filter(({ event }) => event?.streamId === stream).at(-1);
    expect(last?.event).toMatchObject({ type: '$streamDeleted', revision: 9_223_372_036_854_775_807n });
  });
});
