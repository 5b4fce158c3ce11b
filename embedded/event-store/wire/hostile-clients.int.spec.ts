import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { rejection } from '../conformance/store-under-test.js';
import { type RunningEventStore, startEventStore } from '../start-event-store.js';
import { openCall, rawCall, requestOn } from '../testing/raw-call.js';
import { Status } from './grpc-status.js';
import { frameMessage } from './message-framing.js';

const READ = '/event_store.client.streams.Streams/Read';
const DELETE = '/event_store.client.streams.Streams/Delete';
const FEATURES = '/event_store.client.server_features.ServerFeatures/GetSupportedMethods';
const NOTHING = frameMessage(Buffer.alloc(0));

let database: TestDatabase;
let store: RunningEventStore;
let client: EventStoreDBClient;
let session: ClientHttp2Session;
beforeAll(async () => {
  database = await createTestDatabase();
  store = await startEventStore({ databaseUrl: database.url });
  client = EventStoreDBClient.connectionString(store.connectionString);
});
beforeEach(() => {
  session = connect(`http://127.0.0.1:${store.port}`).on('error', () => undefined);
});
afterEach(() => session.destroy());
afterAll(async () => {
  await client.dispose();
  await store.close();
  await database.drop();
});

const event = (type: string, text = '') => jsonEvent({ type, data: { text } });
const streamNamed = (name: string | Buffer) => new shared.StreamIdentifier().setStreamName(Buffer.from(name));

function readOf(fill: (options: InstanceType<typeof streams.ReadReq.Options>) => void): Buffer {
  const options = new streams.ReadReq.Options();
  options.setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()));
  fill(options);
  return frameMessage(new streams.ReadReq().setOptions(options).serializeBinary());
}

const readOfStream = (name: string | Buffer) =>
  readOf((options) => {
    const stream = new streams.ReadReq.Options.StreamOptions().setStreamIdentifier(streamNamed(name));
    options.setStream(stream.setStart(new shared.Empty())).setCount('1');
  });

const subscriptionToAll = (filter?: InstanceType<typeof streams.ReadReq.Options.FilterOptions>) =>
  readOf((options) => {
    options.setAll(new streams.ReadReq.Options.AllOptions().setStart(new shared.Empty()));
    options.setSubscription(new streams.ReadReq.Options.SubscriptionOptions());
    if (filter !== undefined) options.setFilter(filter);
  });

describe('a client that breaks the protocol', () => {
  it('is refused when it sends two messages where one is expected', async () => {
    const answer = await rawCall(store.port, READ, Buffer.concat([NOTHING, NOTHING]), { end: false });
    expect(answer).toMatchObject({ grpcStatus: Status.INTERNAL, grpcMessage: 'Expected one message, got more.' });
  });

  it('is refused when it sends a large message where one message is expected', async () => {
    const answer = await rawCall(store.port, READ, Buffer.from([0, 0, 0x20, 0, 0]), { end: false });
    expect(answer.grpcStatus).toBe(Status.RESOURCE_EXHAUSTED);
  });

  it.each([
    ['PUT', 'application/grpc', 405],
    ['POST', 'application/grpc-web', 415],
    ['POST', 'application/grpc+json', 415],
  ])('%s of %s is refused as HTTP', async (method, contentType, status) => {
    const answer = await requestOn(session, READ, NOTHING, { ':method': method, 'content-type': contentType });
    expect(answer).toMatchObject({ httpStatus: status, grpcStatus: undefined });
  });

  it.each([
    ['longer than any stream has', 'x'.repeat(5_000)],
    ['of bytes that are no UTF-8', Buffer.from([0x61, 0xff])],
    ['of nothing', ''],
  ])('is refused when it names a stream %s', async (_, name) => {
    const removal = new streams.DeleteReq.Options().setStreamIdentifier(streamNamed(name)).setAny(new shared.Empty());
    const bodies: [string, Buffer][] = [
      [READ, readOfStream(name)],
      [DELETE, frameMessage(new streams.DeleteReq().setOptions(removal).serializeBinary())],
    ];
    for (const [path, body] of bodies) {
      expect(await rawCall(store.port, path, body)).toMatchObject({ grpcStatus: Status.INVALID_ARGUMENT });
    }
  });

  it('is refused when it deletes metadata, which only newer metadata replaces', async () => {
    await client.appendToStream('described', event('Written'));
    await client.setStreamMetadata('described', { maxCount: 7 });
    for (const removal of [client.deleteStream('$$described'), client.tombstoneStream('$$described')]) {
      expect(await rejection(removal)).toMatchObject({ code: Status.INVALID_ARGUMENT });
    }
    expect((await client.getStreamMetadata('described')).metadata).toEqual({ maxCount: 7 });
  });

  it('is refused when the authority is no address', async () => {
    const path = '/event_store.client.gossip.Gossip/Read';
    const answer = await requestOn(session, path, NOTHING, { ':authority': 'here:99999' });
    expect(answer.grpcStatus).toBe(Status.INVALID_ARGUMENT);
  });
});

describe('deeply nested metadata', () => {
  it('does not crash the server when its deleted stream is appended to again', async () => {
    const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const data = Buffer.from(`{"$tb":9223372036854775807,"a":${nested}}`);
    await client.appendToStream('nested', event('Written'));
    await client.appendToStream('$$nested', {
      id: '3f333df6-90a4-4fda-8dd3-9485d27cee36',
      type: '$metadata',
      contentType: 'application/octet-stream',
      data,
      metadata: undefined,
    });
    const { nextExpectedRevision } = await client.appendToStream('nested', event('Written'));
    expect(nextExpectedRevision).toBe(1n);
  });
});

describe('a filter by a regex that would take for ever', () => {
  it('ends its call, and does not block the others', async () => {
    await client.appendToStream('long-types', event(`${'a'.repeat(4_000)}b`));
    const filter = new streams.ReadReq.Options.FilterOptions().setMax(32).setCheckpointintervalmultiplier(100);
    filter.setEventType(new streams.ReadReq.Options.FilterOptions.Expression().setRegex('^(a+)+$'));
    const answer = requestOn(session, READ, subscriptionToAll(filter));
    await client.appendToStream('meanwhile', event('Written'));
    expect(await answer).toMatchObject({ grpcStatus: Status.UNKNOWN });
  });
});

describe('many stalled readers', () => {
  it('do not block other calls on their connection', async () => {
    const text = 'x'.repeat(90_000);
    for (let round = 0; round < 5; round++) await client.appendToStream('unread', [event('A', text), event('B', text)]);
    const stalled = Array.from({ length: 90 }, () => openCall(session, READ).on('error', () => undefined));
    for (const subscription of stalled) {
      subscription.end(subscriptionToAll());
      await once(subscription, 'readable');
    }
    expect((await requestOn(session, FEATURES, NOTHING)).grpcStatus).toBe(Status.OK);
    expect(stalled.map(({ rstCode }) => rstCode)).toEqual(stalled.map(() => 0));
  });
});
