import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import { encodeFrame, frameMessage } from '../embedded/event-store/log/event-frame.js';
import { serveFeatures } from '../embedded/event-store/start-event-store.js';
import { type CallHandler, type GrpcCall, GrpcError, listenForGrpc } from '../embedded/event-store/wire/grpc-server.js';
import { EventLog, type Subscription } from './event-log.js';
import { LogUnavailable, type NewEvent, OtherHistory, UnknownOutcome } from './event-log.types.js';

jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn() }));

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
const EVENTS = 5;
const idOf = (revision: number): string => `00000000-0000-4000-8000-00000000000${revision}`;
const newEvent = (): NewEvent => ({
  id: idOf(9),
  event: { type: 'AdminLoggedIn', data: { gamerId: 'admin' } },
  metadata: { commandId: 'c', actor: { id: 'system', role: 'system' }, at: 1, schema: 1 },
});
const { event, metadata } = newEvent();
const proposed = { type: event.type, contentType: 'application/json', data: Buffer.from(JSON.stringify(event.data)) };
const frameOf = (revision: number, id: string) =>
  encodeFrame(
    'omni_post-1',
    revision,
    { id, ...proposed, metadata: Buffer.from(JSON.stringify(metadata)) },
    revision * 10,
    7,
  );
const CHECKPOINT = new streams.ReadResp.Checkpoint().setCommitPosition('18446744073709551615');
/** The messages that a server sends before the first event. */
const FIRST = frameMessage(new streams.ReadResp().setCheckpoint(CHECKPOINT).serializeBinary());
const CAUGHT_UP = frameMessage(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()).serializeBinary());

/** Serves the five events of post-1. Each call breaks after `perCall` events. `idInLog` names the event at a position. */
const breakingReads =
  (perCall: number, idInLog = idOf) =>
  async (call: GrpcCall) => {
    const options = streams.ReadReq.deserializeBinary(await call.receiveOne()).getOptions()!;
    const [all, ofStream] = [options.getAll(), options.getStream()];
    const isBackwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
    const revisions = [...Array(EVENTS).keys()].filter((revision) => {
      if (all?.hasPosition())
        return revision * 10 >= Number(all.getPosition()?.getCommitPosition()) + (options.hasSubscription() ? 1 : 0);
      if (!ofStream?.hasRevision()) return true;
      return isBackwards ? revision <= Number(ofStream.getRevision()) : revision >= Number(ofStream.getRevision());
    });
    if (isBackwards) revisions.reverse();
    const count = options.hasSubscription() ? EVENTS : Number(options.getCount());
    if (count === 0) throw new GrpcError(status.INTERNAL, 'nothing was requested');
    if (options.hasSubscription()) await call.send(FIRST);
    const nameId = all && !options.hasSubscription() ? idInLog : idOf;
    for (const revision of revisions.slice(0, Math.min(count, perCall)))
      await call.send(frameOf(revision, nameId(revision)));
    // An error would overtake events that the client has not read yet.
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    if (count > 1 && revisions.length > 0) throw new GrpcError(status.INTERNAL, 'broken');
    if (!options.hasSubscription()) return;
    await call.send(CAUGHT_UP);
    await once(call.gone, 'abort');
  };
const refuse: CallHandler = async () => {
  throw new GrpcError(status.INTERNAL, 'refused');
};

let server: Awaited<ReturnType<typeof listenForGrpc>>;
let log: EventLog;
const subscriptions: Subscription[] = [];
async function serve(handler: CallHandler, options: ConstructorParameters<typeof EventLog>[1] = {}): Promise<EventLog> {
  server = await listenForGrpc(0, undefined, (path) =>
    path.endsWith('GetSupportedMethods') ? (call) => serveFeatures(call, []) : handler,
  );
  log = new EventLog(`esdb://127.0.0.1:${server.port}?tls=false`, options);
  return log;
}
/** No waits between attempts. */
beforeEach(() => jest.mocked(sleep).mockImplementation(nextTurn));
afterEach(async () => {
  await Promise.all(subscriptions.splice(0).map((subscription) => subscription.stop()));
  await log.close();
  await server.close();
  jest.resetAllMocks();
});

describe.each([1, 2, 100])('reads that break after %s events', (perCall) => {
  it.each([
    [{}, [0, 1, 2, 3, 4]],
    [{ fromRevision: 3 }, [3, 4]],
    [{ maxCount: 2 }, [0, 1]],
    [{ maxCount: 0 }, []],
    [{ lastOnly: true }, [4]],
  ])('yield %j of a stream without a gap or a repeat', async (range, expected) => {
    await serve(breakingReads(perCall));
    const { events, head } = await log.readWithHead('post-1', range);
    expect([events.map(({ revision }) => revision), head]).toEqual([expected, Math.max(-1, ...expected)]);
  });

  it('yield the whole log, or the events after a position', async () => {
    await serve(breakingReads(perCall), { patienceMs: 60_000 });
    for (const after of [null, '20']) {
      const positions: string[] = [];
      for await (const { position } of log.readAll(['post-'], after)) positions.push(position);
      expect(positions).toEqual(['0', '10', '20', '30', '40'].slice(after === null ? 0 : 3));
    }
  });

  it('go on for a follower', async () => {
    await serve(breakingReads(perCall));
    const revisions: number[] = [];
    const lost: Error[] = [];
    await new Promise<void>((resolve, reject) => {
      const onEvent = ({ revision }: { revision: number }) => void revisions.push(revision);
      const onLost = (error: Error) => void lost.push(error);
      subscriptions.push(log.follow({ after: null, onEvent, onLost, onCaughtUp: resolve, onFailure: reject }));
    });
    expect(revisions).toEqual([0, 1, 2, 3, 4]);
    expect(lost).toHaveLength(Math.ceil(EVENTS / perCall));
  });
});

it('a follower stops at its handler’s error, and at another event in the place of the last one', async () => {
  await serve(breakingReads(1, () => idOf(8)));
  const failure = (onEvent: () => void) =>
    new Promise<Error>((resolve) => subscriptions.push(log.follow({ after: null, onEvent, onFailure: resolve })));
  const error = new Error('of the handler');
  const onEvent = jest.fn().mockRejectedValue(error);
  expect(await failure(onEvent)).toBe(error);
  expect(onEvent).toHaveBeenCalledTimes(1);
  const other = await failure(() => undefined);
  expect(other).toEqual(new OtherHistory(`the event at position 0 is ${idOf(8)}, not ${idOf(0)}`));
  expect(other).toBeInstanceOf(OtherHistory);
});

it('waits ever longer between attempts, and reports the first failure and then one every 30 s', async () => {
  let nowMs = 1_000;
  const spied = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const onWaiting = jest.fn();
  await serve(refuse, { patienceMs: 100_000, onWaiting });
  jest.mocked(sleep).mockImplementation(async () => {
    nowMs += 16_000;
  });
  await expect(log.checkConnection()).rejects.toThrow('the event store does not respond: 13 INTERNAL: refused');
  expect(jest.mocked(sleep).mock.calls.map(([ms]) => ms)).toEqual([50, 100, 200, 400, 500, 500, 500]);
  expect(onWaiting.mock.calls).toHaveLength(4);
  spied.mockRestore();
});

it.each<[string, () => Promise<unknown>, string]>([
  ['a read of a stream', () => log.headRevision('post-1'), 'post-1: 13 INTERNAL: refused'],
  ['a read of the log', () => log.readAll([])[Symbol.asyncIterator]().next(), '$all: 13 INTERNAL: refused'],
  ['a tombstone', () => log.tombstoneStream('post-1'), 'post-1: 13 INTERNAL: refused'],
  ['a check of a position', () => log.assertInLog('10'), '$all: 13 INTERNAL: refused'],
  ['an append', () => log.append('post-1', [newEvent()], 0), 'omni_post-1: 13 INTERNAL: refused'],
])('%s fails with the server’s reason', async (_, call, sentence) => {
  await serve(refuse);
  const error = await call().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(sentence.startsWith('omni_') ? UnknownOutcome : LogUnavailable);
  expect((error as Error).message).toBe(sentence);
  expect((error as Error).cause).toMatchObject({ code: status.INTERNAL });
});

it('a read of the log and a follower report that the server ended it', async () => {
  await serve(async (call) => void (await call.receiveOne()));
  await expect(log.readAll([])[Symbol.asyncIterator]().next()).rejects.toThrow('$all: the server ended the read');
  const lost = await new Promise<Error>((resolve, reject) => {
    const subscription = log.follow({
      after: null,
      onEvent: () => undefined,
      onLost: (error) => void subscription.stop().then(() => resolve(error), reject),
      onFailure: reject,
    });
  });
  expect(lost).toEqual(new LogUnavailable('the server ended the subscription'));
});

describe('an append', () => {
  const responseTo = (request: Buffer) => {
    const { BatchAppendReq, BatchAppendResp } = streams;
    return new BatchAppendResp().setCorrelationId(BatchAppendReq.deserializeBinary(request).getCorrelationId());
  };

  it('takes its own response alone, and once, without a deadline and from the leader', async () => {
    let headers: GrpcCall['headers'] = {};
    await serve(async (call) => {
      headers = call.headers;
      for await (const request of call.messages())
        for (const response of [new streams.BatchAppendResp(), responseTo(request), responseTo(request)])
          await call.send(frameMessage(response.serializeBinary()));
    });
    for (let count = 0; count < 2; count += 1)
      await expect(log.append('post-1', [newEvent()], 0)).rejects.toThrow('omni_post-1: the response has no position');
    expect(headers).toMatchObject({ 'requires-leader': 'true' });
    expect(headers).not.toHaveProperty('grpc-timeout');
  });

  it('has an unknown outcome when the server ends the call', async () => {
    await serve(async (call) => {
      for await (const _ of call.messages()) break;
    });
    const outcome = expect(log.append('post-1', [newEvent()], 0)).rejects;
    await outcome.toEqual(new UnknownOutcome('omni_post-1: the server ended the call'));
  });

  it('is not sent when another log was signed, or not every node can read it', async () => {
    const mayWrite = jest.fn(() => false);
    await serve(refuse, { fence: { mayWrite, report: () => undefined } });
    const append = () => log.append('post-1', [newEvent()], 0).catch((error: unknown) => error);
    expect(await append()).toEqual(new LogUnavailable('not every node can read AdminLoggedIn 1 yet'));
    expect(mayWrite).toHaveBeenCalledWith('AdminLoggedIn', 1);
    log.historyFault = 'it is another log';
    expect(await append()).toEqual(new UnknownOutcome('it is another log'));
  });
});
