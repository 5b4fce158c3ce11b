import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { type AllStreamRecordedEvent, START, streamNameFilter } from '@eventstore/db-client';
import { UnreadableEvent } from '../contracts/events/schemas.js';
import type { Connection } from './connection.js';
import { LogUnavailable } from './event-log.types.js';
import { readEvents, subscribe, toRecorded } from './reads.js';

const onForeign = jest.fn();
const names = { prefix: 'omni_', onForeign };
const { metadata, ...fields } = {
  metadata: { commandId: 'c', actor: { id: 'system', role: 'system' }, at: 1, schema: 1 },
  type: 'AdminLoggedIn',
  data: { gamerId: 'admin' },
};
const recorded = (changes: object = {}) => {
  const event = { streamId: 'omni_post-1', id: 'e', revision: 2n, created: new Date(7), dataText: '{}', metadata };
  return {
    ...event,
    ...fields,
    position: { commit: 9n, prepare: 9n },
    ...changes,
  } as unknown as AllStreamRecordedEvent;
};
beforeEach(() => onForeign.mockClear());

it('returns an event of our own', () => {
  const { type, data } = fields;
  const rest = { revision: 2, position: '9', event: { type, data }, metadata, dataText: '{}', createdAtMs: 7 };
  expect(toRecorded(recorded(), names)).toEqual({ id: 'e', stream: 'post-1', ...rest });
});

it.each([
  ...[undefined, 'text', null, [], Buffer.from('{}')].flatMap((other) => [{ data: other }, { metadata: other }]),
  ...[{ commandId: 1 }, { actor: null }, { actor: { id: 1, role: 'system' } }, { actor: { id: 'system' } }].map(
    (other) => ({ metadata: { ...metadata, ...other } }),
  ),
  ...['1', 1.5]
    .flatMap((other) => [{ at: other }, { schema: other }])
    .map((other) => ({ metadata: { ...metadata, ...other } })),
])('skips and names an event of another program, except in the ledger (%j)', (changes) => {
  expect(toRecorded(recorded(changes), names)).toBeUndefined();
  const what = '2 (AdminLoggedIn, id e, recorded at 1970-01-01T00:00:00.007Z)';
  expect(onForeign.mock.calls).toEqual([[`omni_post-1@${what}`]]);
  for (const streamId of ['omni_ledger-copy', 'omni_my-post-1'])
    expect(toRecorded(recorded({ ...changes, streamId }), names)).toBeUndefined();
  const sentence = `omni_ledger@${what} was not written by this application: docs/operations.md, "A foreign event"`;
  const read = () => toRecorded(recorded({ ...changes, streamId: 'omni_ledger' }), names);
  expect(read).toThrow(UnreadableEvent);
  expect(read).toThrow(sentence);
  expect(onForeign).toHaveBeenCalledTimes(1);
});

it.each([
  [{ type: 'BellRung' }, /^omni_post-1@2: unknown event type BellRung/],
  [{ position: undefined }, /^omni_post-1@2 has no position$/],
  [{ position: { commit: 9n, prepare: 8n } }, /^omni_post-1@2 was written in a transaction$/],
])('refuses %p', (changes, sentence) => expect(() => toRecorded(recorded(changes), names)).toThrow(sentence));

describe('a read', () => {
  let stream: PassThrough;
  let dropping: AbortController;
  let connection: Connection;
  const [recordResponse, close, end, subscribeToAll] = [jest.fn(), jest.fn(), jest.fn(), jest.fn()];
  const elapse = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }).resetAllMocks();
    end.mockRejectedValue(new Error('the server is gone'));
    stream = Object.assign(new PassThrough({ objectMode: true }), { cancel: end, unsubscribe: end });
    jest.spyOn(stream, 'resume');
    subscribeToAll.mockReturnValue(stream);
    dropping = new AbortController();
    const awaited = { client: { subscribeToAll }, dropped: dropping.signal, recordResponse, close };
    connection = { begin: () => awaited } as unknown as Connection;
  });
  afterEach(() => {
    expect([close.mock.calls.length, end.mock.calls.length, jest.getTimerCount()]).toEqual([1, 1, 0]);
    expect(getEventListeners(dropping.signal, 'abort')).toEqual([]);
    expect(stream.resume).toHaveBeenCalledTimes(1);
    jest.useRealTimers();
  });
  const read = () => readEvents(connection, () => stream as never);
  const follow = (after: string | null, signal?: AbortSignal) => subscribe(connection, after, ['post-'], names, signal);

  it('fails when no event comes within 5 s, the time in which its reader was busy not counted', async () => {
    const reading = read();
    const [first, second] = [recorded(), recorded({ id: 'second' })];
    stream.write({ event: first });
    expect(await reading.next()).toEqual({ done: false, value: first });
    await elapse(20_000);
    const next = reading.next();
    await elapse(5_000);
    stream.write({ event: second });
    expect(await next).toEqual({ done: false, value: second });
    const failed = expect(reading.next()).rejects.toEqual(new LogUnavailable('no event for 5000 ms'));
    await elapse(10_000);
    await failed;
    expect(recordResponse).toHaveBeenCalledTimes(2);
  });

  it('without any event fails after 5 s', async () => {
    const failed = expect(read().next()).rejects.toThrow('no event for 5000 ms');
    await elapse(5_000);
    await failed;
  });

  it('ends with the response, or at an error that comes between two events', async () => {
    stream.end({ event: recorded() });
    const reading = read();
    await reading.next();
    expect(await reading.next()).toEqual({ done: true });
    expect(recordResponse).toHaveBeenCalledTimes(2);
  });

  it.each<[string, (error: Error) => unknown]>([
    ['it breaks', (error) => stream.destroy(error)],
    ['its channel is dropped', (error) => dropping.abort(error)],
  ])('fails when %s', async (_, fail) => {
    const reading = read();
    stream.write({ event: recorded() });
    await reading.next();
    fail(new LogUnavailable('gone'));
    await elapse(1);
    await expect(reading.next()).rejects.toEqual(new LogUnavailable('gone'));
  });

  it('of a subscription yields our events, and then that it has caught up', async () => {
    const stopping = new AbortController();
    const following = follow('7', stopping.signal);
    for (const event of [undefined, recorded({ type: '$streamDeleted' }), recorded({ metadata: null }), recorded()])
      stream.write({ event });
    const yielded = [following.next(), following.next(), following.next()];
    stream.emit('caughtUp');
    expect((await yielded[0])?.value).toMatchObject({ id: 'e' });
    expect((await yielded[1])?.value).toBe('caught up');
    expect(onForeign).toHaveBeenCalledTimes(1);
    await elapse(60_000);
    const filter = streamNameFilter({ prefixes: ['omni_post-'] });
    const options = { fromPosition: { commit: 7n, prepare: 7n }, filter, requiresLeader: true };
    expect(subscribeToAll).toHaveBeenCalledWith(options, { highWaterMark: 256 });
    stopping.abort();
    await expect(yielded[2]).rejects.toThrow('Premature close');
    expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
  });

  it('of a subscription that was stopped before ends at once', async () => {
    await expect(follow(null, AbortSignal.abort()).next()).rejects.toThrow('Premature close');
    expect(subscribeToAll).toHaveBeenCalledWith(expect.objectContaining({ fromPosition: START }), expect.anything());
  });
});
