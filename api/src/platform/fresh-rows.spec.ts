import { FreshRows } from './fresh-rows.js';

let nowMs: number;
/** The row in the table. */
let row: object | null;
let rows: FreshRows<object>;
let notify: (key: string) => void;
let beginListening: () => void;
let completeUntilMonotonicMs: number;
const read = jest.fn();
const changed = jest.fn();

const listener = {
  get completeUntilMonotonicMs() {
    return completeUntilMonotonicMs;
  },
  on: (_channel: string, receive: typeof notify) => {
    notify = receive;
  },
  onListening: (callback: unknown) => {
    beginListening = callback as typeof beginListening;
  },
};

beforeEach(() => {
  nowMs = 10_000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  completeUntilMonotonicMs = Number.NEGATIVE_INFINITY;
  row = { version: 1 };
  read.mockReset().mockImplementation(async () => row);
  rows = new FreshRows(listener, 'channel', read, changed);
});
afterEach(() => jest.restoreAllMocks());

it('is read once, and then returned without a promise', async () => {
  expect(await rows.get('a')).toBe(row);
  expect(rows.get('a')).toBe(row);
  expect(read).toHaveBeenCalledTimes(1);
});

it('expires after two seconds, unless the listener is known to have every notification', async () => {
  const readsAfter = async (ms: number) => {
    nowMs += ms;
    await rows.get('a');
    return read.mock.calls.length;
  };
  expect([await readsAfter(0), await readsAfter(2_000), await readsAfter(1)]).toEqual([1, 1, 2]);
  for (let second = 0; second < 60; second += 1) {
    completeUntilMonotonicMs = nowMs + 1_000;
    expect(await readsAfter(1_000)).toBe(2);
  }
  expect(await readsAfter(2_001)).toBe(3);
});

it('is read again when its change is notified, and all are after the payload of all', async () => {
  await rows.get('a');
  await rows.get('b');
  row = null;
  notify('a');
  expect(changed).toHaveBeenCalledWith('a');
  expect(await rows.get('a')).toBeNull();
  expect(await rows.get('b')).not.toBeNull();
  notify('');
  expect(await rows.get('b')).toBeNull();
  expect(read).toHaveBeenCalledTimes(4);
});

it('is not cached when its change is notified while it is read', async () => {
  const old = row;
  let respond: (read: object | null) => void = () => {};
  read.mockReturnValueOnce(
    new Promise((resolve) => {
      respond = resolve;
    }),
  );
  const reading = rows.get('a');
  row = null;
  notify('a');
  respond(old);
  expect(await reading).toBe(old);
  expect(await rows.get('a')).toBeNull();
});

it('is read again when the process begins to listen, because it may have missed notifications', async () => {
  await rows.get('a');
  row = null;
  beginListening();
  expect(await rows.get('a')).toBeNull();
});

it('keeps a missing row for two seconds only, because nothing notifies of new rows', async () => {
  row = null;
  expect(await rows.get('a')).toBeNull();
  row = { version: 1 };
  nowMs += 2_001;
  completeUntilMonotonicMs = nowMs;
  expect(await rows.get('a')).toBe(row);
});

it('does not keep a failed read', async () => {
  read.mockRejectedValueOnce(new Error('Postgres is unavailable'));
  await expect(rows.get('a')).rejects.toThrow('unavailable');
  expect(await rows.get('a')).toBe(row);
});
