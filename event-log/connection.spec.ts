import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { END, type EventStoreDBClient } from '@eventstore/db-client';
import { Connection } from './connection.js';
import { LogUnavailable } from './event-log.types.js';

/** Opens clients whose server is silent; `probes` are the reads by which the connection probes it. */
function connect() {
  const opened: ReturnType<typeof open>[] = [];
  const probes: PassThrough[] = [];
  const handleError = jest.fn(async (_grpc: object, _error: Error) => {});
  const open = () => ({
    handleError,
    channel: { close: jest.fn() },
    readAll: jest.fn((_options: object) => {
      probes.push(new PassThrough({ objectMode: true }));
      return probes.at(-1);
    }),
    dispose: jest.fn(async () => {}),
    shouldReconnect: (error: Error) => [error.message === 'gone'],
    async getChannel() {
      return this.channel;
    },
  });
  const connection = new Connection(() => {
    opened.push(open());
    return opened.at(-1) as unknown as EventStoreDBClient;
  });
  return { connection, opened, probes, handleError };
}

const silence = () => new Promise<never>(() => {});
const noResponse = (text: string) => new Error(text);
const elapse = (ms: number) => jest.advanceTimersByTimeAsync(ms);

beforeEach(() => jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

it('probes a silent server after 1 s and replaces its client after 2.5 s', async () => {
  const { connection, opened, probes } = connect();
  const call = expect(connection.call(silence, noResponse)).rejects.toEqual(
    new LogUnavailable('the event store did not answer for 2.5 s'),
  );
  await elapse(999);
  expect(probes).toHaveLength(0);
  await elapse(1);
  expect(opened[0]?.readAll.mock.calls).toEqual([[{ fromPosition: END, maxCount: 1, requiresLeader: true }]]);
  await elapse(1_499);
  expect(opened).toHaveLength(1);
  await elapse(1);
  await call;
  await elapse(10_000);
  expect([opened.length, probes.length]).toEqual([2, 1]);
  expect(opened[0]?.dispose).toHaveBeenCalledTimes(1);
  expect(opened[0]?.channel.close).toHaveBeenCalledTimes(1);
  expect(await connection.call(async (client) => client, noResponse)).toBe(opened[1]);
});

it.each<[string, (probe: PassThrough | undefined) => unknown]>([
  ['answers the probe', (probe) => probe?.end({})],
  ['refuses the probe', (probe) => probe?.destroy(new Error('not the leader'))],
])('limits a call to 5 s when its server %s', async (_, respond) => {
  const { connection, opened, probes } = connect();
  const call = expect(connection.call(silence, noResponse)).rejects.toEqual(new Error('no response within 5000 ms'));
  for (let second = 1; second <= 5; second += 1) {
    await elapse(1_000);
    respond(probes.at(-1));
  }
  await call;
  expect([opened.length, probes.length]).toEqual([1, 4]);
});

it('counts silence only while a response is awaited, and from the last response', async () => {
  const { connection, opened } = connect();
  const [first, second] = [connection.begin(), connection.begin()];
  await elapse(2_000);
  second.recordResponse();
  await elapse(2_000);
  first.close();
  first.close();
  second.close();
  await elapse(10_000);
  const third = connection.begin();
  await elapse(2_000);
  expect(opened).toHaveLength(1);
  const fourth = connection.begin();
  third.close();
  third.close();
  await elapse(500);
  expect(opened).toHaveLength(2);
  expect(fourth.dropped.aborted).toBe(true);
});

it('returns a call’s response or error, and leaves nothing behind', async () => {
  const { connection, opened } = connect();
  const { dropped, close } = connection.begin();
  close();
  const error = new Error('refused');
  expect(await connection.call(async () => 7, noResponse)).toBe(7);
  await expect(connection.call(() => Promise.reject(error), noResponse)).rejects.toBe(error);
  expect([getEventListeners(dropped, 'abort'), jest.getTimerCount()]).toEqual([[], 0]);
  await elapse(10_000);
  expect(opened).toHaveLength(1);
});

it('abandons the calls of a lost channel once, when the client has begun to search for another server', async () => {
  const { connection, opened, handleError } = connect();
  const lose = async (error: Error, channel: object) => {
    const { dropped, close } = connection.begin();
    await opened[0]?.handleError({ getChannel: () => channel }, error);
    close();
    return dropped.reason as unknown;
  };
  const [channel, gone] = [{}, new Error('gone')];
  expect(await lose(new Error('refused'), channel)).toBeUndefined();
  expect(await lose(gone, channel)).toEqual(new LogUnavailable('lost the event store: gone'));
  expect(await lose(gone, channel)).toBeUndefined();
  expect(await lose(gone, {})).toBeInstanceOf(LogUnavailable);
  expect(handleError).toHaveBeenCalledTimes(4);
  handleError.mockRejectedValueOnce(new Error('there is no other server'));
  expect(await lose(gone, {})).toBeUndefined();
});

it.each([
  ['a client that was used, with its channel', true, 1],
  ['a client that was not used, without opening a channel', false, 0],
])('closes %s, and within a second', async (_, isUsed, channels) => {
  const { connection, opened } = connect();
  if (isUsed) connection.begin();
  opened[0]?.dispose.mockImplementation(silence);
  const getChannel = jest.spyOn(opened[0] as NonNullable<(typeof opened)[0]>, 'getChannel');
  const closed = connection.close();
  await elapse(1_000);
  await closed;
  await elapse(10_000);
  expect([getChannel.mock.calls.length, opened[0]?.channel.close.mock.calls.length]).toEqual([channels, channels]);
  expect(opened).toHaveLength(1);
});
