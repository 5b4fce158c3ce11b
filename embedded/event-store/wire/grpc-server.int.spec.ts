import { once } from 'node:events';
import { connect, constants } from 'node:http2';
import { createConnection } from 'node:net';
import { END, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { collect, until } from '../conformance/store-under-test.js';
import { type RunningEventStore, startEventStore } from '../start-event-store.js';
import { rawCall } from '../testing/raw-call.js';
import { Status } from './grpc-status.js';
import { frameMessage } from './message-framing.js';

const READ = '/event_store.client.streams.Streams/Read';
const BATCH_APPEND = '/event_store.client.streams.Streams/BatchAppend';
const correlationId = '11111111-2222-4333-8444-555555555555';

let database: TestDatabase;
let store: RunningEventStore;
beforeAll(async () => {
  database = await createTestDatabase();
  store = await startEventStore({ databaseUrl: database.url });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

function batchMessage(isFinal: boolean): Buffer {
  const id = new shared.UUID();
  id.setString(correlationId);
  const request = new streams.BatchAppendReq();
  request.setCorrelationId(id);
  request.setIsFinal(isFinal);
  return frameMessage(request.serializeBinary());
}

describe('a new log', () => {
  it('holds system events only, and can be subscribed to', async () => {
    const client = EventStoreDBClient.connectionString(store.connectionString);
    const existing = (await collect(client.readAll())).map(({ event }) => event!.type);
    expect(existing).toEqual(['$epoch-information', '$metadata']);
    const subscription = client.subscribeToAll({ fromPosition: END });
    const seen: string[] = [];
    subscription.on('data', ({ event }) => seen.push(event!.type));
    await once(subscription, 'caughtUp');
    await client.appendToStream('first', jsonEvent({ type: 'First', data: {} }));
    await until(() => seen.length > 0);
    expect(seen).toEqual(['First']);
    await subscription.unsubscribe();
    await client.dispose();
  });
});

describe('a malformed call', () => {
  it.each([
    ['a message that is no protobuf', READ, frameMessage(Buffer.from([0xff, 0xff, 0xff])), Status.INVALID_ARGUMENT],
    ['a read without options', READ, frameMessage(Buffer.alloc(0)), Status.INVALID_ARGUMENT],
    ['no message at all', READ, Buffer.alloc(0), Status.INTERNAL],
    ['a message that is cut off', READ, frameMessage(Buffer.alloc(20)).subarray(0, 12), Status.INTERNAL],
    ['a compressed message', READ, Buffer.from([1, 0, 0, 0, 1, 0]), Status.UNIMPLEMENTED],
    ['a message beyond the limit', BATCH_APPEND, Buffer.from([0, 1, 0, 0, 1]), Status.RESOURCE_EXHAUSTED],
    ['an append of garbage', BATCH_APPEND, frameMessage(Buffer.from([0x0a, 0x7f, 1])), Status.INVALID_ARGUMENT],
    ['an unknown method', '/event_store.client.streams.Streams/Nothing', Buffer.alloc(0), Status.UNIMPLEMENTED],
  ])('%s ends with a status', async (_, path, body, status) => {
    const answer = await rawCall(store.port, path, body);
    expect(answer).toMatchObject({ httpStatus: 200, grpcStatus: status });
    expect(answer.grpcMessage).not.toBe('');
  });

  it('that is no gRPC is refused as HTTP', async () => {
    const answer = await rawCall(store.port, READ, Buffer.alloc(0), {
      headers: { 'content-type': 'application/json' },
    });
    expect(answer).toMatchObject({ httpStatus: 415, grpcStatus: undefined });
  });

  it('that is broken off at any time does not end the server', async () => {
    const paths = [READ, BATCH_APPEND, '/event_store.client.gossip.Gossip/Read', '/nothing'];
    for (let round = 0; round < 100; round++) {
      const session = connect(`http://127.0.0.1:${store.port}`);
      session.on('error', () => undefined);
      for (const path of paths) {
        const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc' });
        stream.on('error', () => undefined);
        stream.end(frameMessage(Buffer.alloc(round % 3)));
        if (round % 2 === 0) setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), round % 5);
      }
      await new Promise((resolve) => setTimeout(resolve, round % 7));
      session.destroy();
    }
    const greeting = createConnection(store.port, '127.0.0.1')
      .on('error', () => undefined)
      .resume();
    greeting.end('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    await once(greeting, 'close');
    const client = EventStoreDBClient.connectionString(store.connectionString);
    expect((await collect(client.readAll())).length).toBeGreaterThan(0);
    await client.dispose();
  });

  it('does not disturb the others', async () => {
    const client = EventStoreDBClient.connectionString(store.connectionString);
    const read = collect(client.readAll());
    await rawCall(store.port, READ, frameMessage(Buffer.from([0xff])));
    await read;
    await client.appendToStream('undisturbed', jsonEvent({ type: 'Written', data: {} }));
    await client.dispose();
  });
});

describe('an append whose correlation id is unknown', () => {
  it('is answered once, as a bad request, after its last message', async () => {
    const body = Buffer.concat([batchMessage(false), batchMessage(false), batchMessage(true)]);
    const answer = await rawCall(store.port, BATCH_APPEND, body);
    expect(answer.grpcStatus).toBe(Status.OK);
    expect(answer.body.length).toBe(5 + answer.body.readUInt32BE(1));
    const response = streams.BatchAppendResp.deserializeBinary(answer.body.subarray(5));
    expect(response.getCorrelationId()?.getString()).toBe(correlationId);
    expect(response.getError()?.getDetails()?.getTypeName()).toBe('event_store.client.BadRequest');
  });
});

describe('a service that the embedded store does not have', () => {
  it.each([
    ['/event_store.client.projections.Projections/Create', 'projections'],
    ['/event_store.client.persistent_subscriptions.PersistentSubscriptions/Create', 'persistent subscriptions'],
    ['/event_store.client.operations.Operations/Shutdown', 'operations'],
  ])('%s is refused with a sentence', async (path, word) => {
    const answer = await rawCall(store.port, path, frameMessage(Buffer.alloc(0)));
    expect(answer.grpcStatus).toBe(Status.UNIMPLEMENTED);
    expect(answer.grpcMessage).toContain(word);
  });
});

describe('clients that never read', () => {
  it('block neither writers nor other readers', async () => {
    const client = EventStoreDBClient.connectionString(store.connectionString);
    const stalled = Array.from({ length: 20 }, () => client.subscribeToAll().on('error', () => undefined));
    for (const subscription of stalled) subscription.pause();
    const events = () =>
      Array.from({ length: 200 }, () => jsonEvent({ type: 'Unread', data: { text: 'x'.repeat(2_000) } }));
    for (let round = 0; round < 20; round++) await client.appendToStream('unread', events());
    const read = await collect(client.readStream('unread'));
    expect(read).toHaveLength(4_000);
    await Promise.all(stalled.map((subscription) => subscription.unsubscribe()));
    await client.dispose();
  });
});
