import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jsonEvent, MaxAppendSizeExceededError, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client';
import { collect, events, freshStream, rejection, revisionsOf, StoreUnderTest } from '../testing/store-under-test.js';

const store = new StoreUnderTest();

describe('an append', () => {
  it('starts at revision 0, leaves no gaps, and returns the revision of its last event', async () => {
    const stream = freshStream();
    const first = await store.client.appendToStream(stream, events(3), { expectedRevision: NO_STREAM });
    const second = await store.client.appendToStream(stream, events(2), { expectedRevision: 2n });
    expect([first.nextExpectedRevision, second.nextExpectedRevision]).toEqual([2n, 4n]);
    const [last] = await collect(store.client.readAll({ fromPosition: second.position!, maxCount: 1 }));
    expect(await revisionsOf(store.client.readStream(stream))).toEqual([0, 1, 2, 3, 4]);
    expect(last?.event).toMatchObject({ streamId: stream, revision: 4n, position: second.position });
  });

  it('keeps id, type, data, metadata and content type', async () => {
    const stream = freshStream();
    const event = jsonEvent({ type: 'Überweisung', data: { cents: 5, text: 'ß' }, metadata: { commandId: 'c1' } });
    const before = Date.now();
    await store.client.appendToStream(stream, event);
    const [read] = await collect(store.client.readStream(stream));
    expect(read?.event).toMatchObject({
      id: event.id,
      streamId: stream,
      type: 'Überweisung',
      data: { cents: 5, text: 'ß' },
      metadata: { commandId: 'c1' },
      isJson: true,
      revision: 0n,
    });
    expect(Math.abs(read!.event!.created.getTime() - before)).toBeLessThan(60_000);
  });

  it.each<[string, bigint | typeof NO_STREAM, number, bigint | string]>([
    ['no stream', NO_STREAM, 2, 1n],
    ['a revision behind', 0n, 2, 1n],
    ['a revision ahead', 7n, 2, 1n],
    ['a revision of a missing stream', 7n, 0, 'no_stream'],
  ])('is refused with the expected and the actual revision: %s', async (_name, expectedRevision, present, actual) => {
    const stream = freshStream();
    if (present > 0) await store.client.appendToStream(stream, events(present));
    const refused = await rejection(store.client.appendToStream(stream, events(1), { expectedRevision }));
    expect(refused).toBeInstanceOf(WrongExpectedVersionError);
    expect(refused).toMatchObject({ streamName: stream, expectedVersion: expectedRevision, actualVersion: actual });
    if (present > 0) expect(await revisionsOf(store.client.readStream(stream))).toHaveLength(present);
  });

  it('gets the first response again as a retry, also when the stream has grown', async () => {
    const stream = freshStream();
    const [first, second] = [events(3), events(2)];
    const results = [
      await store.client.appendToStream(stream, first, { expectedRevision: NO_STREAM }),
      await store.client.appendToStream(stream, second, { expectedRevision: 2n }),
    ];
    const again = [
      await store.client.appendToStream(stream, first, { expectedRevision: NO_STREAM }),
      await store.client.appendToStream(stream, second, { expectedRevision: 2n }),
    ];
    expect(again.map((result) => result.nextExpectedRevision)).toEqual([2n, 4n]);
    expect(again.map((result) => result.position)).toEqual(results.map((result) => result.position));
    expect(await revisionsOf(store.client.readStream(stream))).toEqual([0, 1, 2, 3, 4]);
  });

  it('is refused when only its first events were appended before', async () => {
    const stream = freshStream();
    const batch = events(2);
    await store.client.appendToStream(stream, batch, { expectedRevision: NO_STREAM });
    const longer = store.client.appendToStream(stream, [...batch, ...events(1)], { expectedRevision: NO_STREAM });
    expect(await rejection(longer)).toBeInstanceOf(WrongExpectedVersionError);
  });

  it('is refused when it is too large, and nothing of it is stored', async () => {
    const stream = freshStream();
    const half = () => jsonEvent({ type: 'Large', data: { text: 'x'.repeat(600_000) } });
    const refused = await rejection(store.client.appendToStream(stream, [half(), half()]));
    expect(refused).toBeInstanceOf(MaxAppendSizeExceededError);
    expect(refused).toMatchObject({ maxAppendSize: 1024 * 1024 });
    expect(await rejection(collect(store.client.readStream(stream)))).toMatchObject({ type: 'stream-not-found' });
  });
});

describe('many appends at once', () => {
  it('with the same exact expectation: one is accepted, the others are refused', async () => {
    const stream = freshStream();
    const attempts = Array.from({ length: 20 }, () =>
      store.client.appendToStream(stream, events(2), { expectedRevision: NO_STREAM }),
    );
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(WrongExpectedVersionError);
    }
    expect(await revisionsOf(store.client.readStream(stream))).toEqual([0, 1]);
  });

  it('with any expectation: the events of each append stay together', async () => {
    const stream = freshStream();
    const appends = Array.from({ length: 30 }, () => events(3));
    await Promise.all(appends.map((batch) => store.client.appendToStream(stream, batch)));
    const read = (await collect(store.client.readStream(stream))).map(({ event }) => event!.id);
    expect(read).toHaveLength(90);
    for (const batch of appends) {
      const at = read.indexOf(batch[0]!.id);
      expect(read.slice(at, at + 3)).toEqual(batch.map((event) => event.id));
    }
  });
});

it('the client of KurrentDB, EventStoreDB’s successor, appends, reads, subscribes and tombstones', async () => {
  const program = join(__dirname, '../testing/kurrentdb-client.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [program, store.connectionString, freshStream()]);
  const types = ['First', 'Second'];
  expect(JSON.parse(stdout)).toEqual({
    success: true,
    last: 1,
    metadata: { maxCount: 10 },
    read: types,
    subscribed: types,
    afterTombstone: 'StreamDeletedError',
  });
});
