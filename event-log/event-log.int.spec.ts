import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { binaryEvent, type EventData, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Recorded } from '../contracts/events/recorded.js';
import { STREAM_PREFIXES } from '../contracts/streams.js';
import { frameMessage } from '../embedded/event-store/log/event-frame.js';
import { startTestEventStore, type TestEventStore } from '../embedded/event-store/testing/test-event-store.js';
import { type GrpcCall, GrpcServer } from '../embedded/event-store/wire/grpc-server.js';
import { serveFeatures } from '../embedded/event-store/wire/routes.js';
import { EventLog, type Following, type FollowOptions } from './event-log.js';
import { type NewEvent, OtherHistory } from './event-log.types.js';

let store: TestEventStore;
let log: EventLog;
beforeAll(async () => {
  store = await startTestEventStore();
  log = new EventLog(store.connectionString);
});
afterAll(async () => {
  await log.close();
  await store.close();
});

const newEvent = (): NewEvent => ({
  id: randomUUID(),
  event: { type: 'AdminSignedIn', data: { gamerId: 'admin' } },
  metadata: { commandId: 'c', actor: { id: 'system', role: 'system' }, at: 1, schema: 1 },
});

async function collect(events: AsyncIterable<Recorded>): Promise<Recorded[]> {
  const collected: Recorded[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

describe('tombstoning a stream', () => {
  it('makes it read as empty, however often it is repeated', async () => {
    const stream = `gamer-${randomUUID()}`;
    await log.append(stream, [newEvent(), newEvent()], -1);
    await log.tombstoneStream(stream);
    await log.tombstoneStream(stream);
    expect(await collect(log.readStream(stream))).toEqual([]);
    expect(await log.headRevision(stream)).toBe(-1);
  });

  it('gives readers of the whole log no event for the tombstone', async () => {
    const stream = `gamer-${randomUUID()}`;
    const { position } = await log.append(stream, [newEvent()], -1);
    await log.tombstoneStream(stream);
    // The embedded server removes the events at once, a real one when it scavenges.
    const events = await collect(log.readAll([stream]));
    expect(events.filter((event) => event.position !== position)).toEqual([]);
  });
});

describe('following a log', () => {
  /** Follows until the first event, failure or 'caught up', and returns it. */
  async function firstOutcome(
    options: Partial<FollowOptions>,
    followed = log,
  ): Promise<Recorded | Error | 'caught up'> {
    let following: Following | undefined;
    const outcome = await new Promise<Recorded | Error | 'caught up'>((resolve) => {
      following = followed.follow({
        after: null,
        onEvent: resolve,
        onFailure: resolve,
        onLost: resolve,
        onCaughtUp: () => resolve('caught up'),
        ...options,
      });
    });
    await following?.stop();
    return outcome;
  }

  it('starts after the last handled event', async () => {
    const stream = `post-${randomUUID()}`;
    const [first, second] = [newEvent(), newEvent()];
    const { position } = await log.append(stream, [first], -1);
    await log.append(stream, [second], 0);
    const delivered = await firstOutcome({ after: position, afterId: first.id, prefixes: [stream] });
    expect(delivered).toMatchObject({ id: second.id });
  });

  it('fails when the log ends before the position, as after the restore of an older backup', async () => {
    const { position } = await log.append(`post-${randomUUID()}`, [newEvent()], -1);
    expect(await firstOutcome({ after: String(BigInt(position) + 100_000n) })).toBeInstanceOf(OtherHistory);
  });

  it('fails when another event is at the position', async () => {
    const { position } = await log.append(`post-${randomUUID()}`, [newEvent()], -1);
    expect(await firstOutcome({ after: position, afterId: randomUUID() })).toBeInstanceOf(OtherHistory);
  });

  it('fails when the position lies within an event', async () => {
    const { position } = await log.append(`post-${randomUUID()}`, [newEvent()], -1);
    expect(await firstOutcome({ after: String(BigInt(position) + 1n) })).toBeInstanceOf(OtherHistory);
  });

  it('ignores the checkpoint 2^64-1, which a server sends before the first event', async () => {
    const server = await serverThatSends(CONFIRMATION, checkpointFrame(2n ** 64n - 1n), CAUGHT_UP);
    const remote = new EventLog(`esdb://127.0.0.1:${server.port}?tls=false`);
    expect(await firstOutcome({}, remote)).toBe('caught up');
    await remote.close();
    await server.close();
  });
});

const frameOf = (response: InstanceType<typeof streams.ReadResp>) => frameMessage(response.serializeBinary());
const CONFIRMATION = frameOf(
  new streams.ReadResp().setConfirmation(new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId('here')),
);
const CAUGHT_UP = frameOf(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));

/** Serves every subscription with these messages. */
async function serverThatSends(...frames: Buffer[]): Promise<GrpcServer> {
  const subscribe = async (call: GrpcCall) => {
    for (const frame of frames) await call.send(frame);
    await once(call.gone, 'abort');
  };
  return GrpcServer.listen(0, undefined, (path) =>
    path.endsWith('/Read') ? subscribe : (call) => serveFeatures(call, []),
  );
}

function checkpointFrame(position: bigint): Buffer {
  const checkpoint = new streams.ReadResp.Checkpoint()
    .setCommitPosition(String(position))
    .setPreparePosition(String(position));
  return frameOf(new streams.ReadResp().setCheckpoint(checkpoint));
}

describe('on a server with streams of other programs', () => {
  const { metadata } = newEvent();
  const type = 'RoundEnded';
  /** Nobody but this application writes all of this metadata. */
  const foreign: EventData[] = [
    jsonEvent({ type, data: {} }),
    ...[{ id: 1 }, { ...metadata, at: '1' }, { ...metadata, actor: null }, { ...metadata, schema: 1.5 }].map((one) =>
      jsonEvent({ type, data: {}, metadata: one }),
    ),
    ...[[], null, 'text', ['x'.repeat(1_000_000)]].map((data) => jsonEvent({ type, data: data as never, metadata })),
    jsonEvent({ type: 'OrderPaid', data: { cents: 1 }, metadata: [] as never }),
    binaryEvent({ type, data: Buffer.from([0, 255]), metadata: Buffer.from('no JSON') }),
    binaryEvent({ type, data: Buffer.from('{}'), metadata: Buffer.from(JSON.stringify(metadata)) }),
  ];

  it('skips and names foreign events in its streams, and appends after them', async () => {
    const named: string[] = [];
    const ours = new EventLog(store.connectionString, { onForeign: (event) => named.push(event) });
    const neighbour = EventStoreDBClient.connectionString(store.connectionString);
    const stream = `ticket-${randomUUID()}`;
    const first = newEvent();
    const { position } = await ours.append(stream, [first], -1);
    await neighbour.appendToStream(`omni_${stream}`, foreign);
    for (const other of ['omni_ledger-copy', 'ledger', stream]) await neighbour.appendToStream(other, foreign);
    expect((await collect(ours.readStream(stream))).map(({ id }) => id)).toEqual([first.id]);
    const head = await ours.headRevision(stream);
    expect(head).toBe(foreign.length);
    const last = newEvent();
    await ours.append(stream, [last], head);
    const following = await collect(ours.readAll(STREAM_PREFIXES, position));
    expect(following.map(({ id, stream: from }) => [id, from])).toEqual([[last.id, stream]]);
    expect(named[0]).toContain(`omni_${stream}@1 (${type}, id `);
    expect(named).toHaveLength(foreign.length);
    await neighbour.dispose();
    await ours.close();
  });

  it('keeps two games apart', async () => {
    const [one, other] = ['one_', 'other_'].map(
      (streamPrefix) => new EventLog(store.connectionString, { streamPrefix }),
    );
    const [inOne, inOther] = [newEvent(), newEvent()];
    await one?.append('post-1', [inOne], -1);
    await other?.append('post-1', [inOther], -1);
    for (const [game, event] of [
      [one, inOne],
      [other, inOther],
    ] as [EventLog, NewEvent][]) {
      expect((await collect(game.readAll(STREAM_PREFIXES))).map(({ id }) => id)).toEqual([event.id]);
      await game.close();
    }
  });

  it.each(foreign)('stops at a foreign event in the ledger with one sentence (%#)', async (event) => {
    const report = jest.fn();
    const streamPrefix = `stop_${randomUUID().replaceAll('-', '').slice(0, 8)}_`;
    const ours = new EventLog(store.connectionString, { streamPrefix, fence: { report, mayWrite: () => true } });
    await ours.append('ledger', [newEvent()], -1);
    const neighbour = EventStoreDBClient.connectionString(store.connectionString);
    await neighbour.appendToStream(`${streamPrefix}ledger`, { ...event, id: randomUUID() });
    const sentence = new RegExp(`^${streamPrefix}ledger@1 .* was not written by this application: docs/operations.md`);
    await expect(collect(ours.readStream('ledger'))).rejects.toThrow(sentence);
    expect(report).toHaveBeenCalledWith(expect.objectContaining({ message: expect.stringMatching(sentence) }));
    await neighbour.dispose();
    await ours.close();
  });
});

it('leaves no call open when following stops', async () => {
  let arrived = (_call: GrpcCall) => {};
  const subscribed = new Promise<GrpcCall>((resolve) => {
    arrived = resolve;
  });
  const subscribe = async (call: GrpcCall) => {
    await call.send(CONFIRMATION);
    arrived(call);
    await once(call.gone, 'abort');
  };
  const server = await GrpcServer.listen(0, undefined, (path) =>
    path.endsWith('/Read') ? subscribe : (call) => serveFeatures(call, []),
  );
  const remote = new EventLog(`esdb://127.0.0.1:${server.port}?tls=false`);
  const onFailure = (error: Error) => {
    throw error;
  };
  const following = remote.follow({ after: null, onEvent: () => undefined, onFailure });
  const call = await subscribed;
  await following.stop();
  if (!call.gone.aborted) await once(call.gone, 'abort');
  await remote.close();
  await server.close();
});
