import { FreshRows } from './fresh-rows.js';

function setUp() {
  let nowMs = 10_000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const table: { row: object | null } = { row: { version: 1 } };
  const reads: ((row: object | null) => void)[] = [];
  let notify: (key: string) => void = () => {};
  let beginListening: () => void = () => {};
  const listener = {
    completeUntilMonotonicMs: Number.NEGATIVE_INFINITY,
    on: (_channel: string, receive: (key: string) => void) => {
      notify = receive;
    },
    onListening: (callback: unknown) => {
      beginListening = callback as () => void;
    },
  };
  const changed = jest.fn();
  let isHeld = false;
  const read = jest.fn(() =>
    isHeld ? new Promise<object | null>((resolve) => reads.push(resolve)) : Promise.resolve(table.row),
  );
  const rows = new FreshRows(listener, 'channel', read, changed);
  return {
    rows,
    read,
    table,
    changed,
    listener,
    notify: (key: string) => notify(key),
    beginListening: () => beginListening(),
    hold: () => {
      isHeld = true;
    },
    respond: (row: object | null) => {
      isHeld = false;
      for (const resolve of reads.splice(0)) resolve(row);
    },
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

afterEach(() => jest.restoreAllMocks());

it('is read once, and then returned without a promise', async () => {
  const { rows, read, table } = setUp();
  expect(await rows.get('a')).toBe(table.row);
  expect(rows.get('a')).toBe(table.row);
  expect(read).toHaveBeenCalledTimes(1);
});

it('expires after two seconds, unless the listener is known to have every notification', async () => {
  const { rows, read, listener, pass } = setUp();
  await rows.get('a');
  pass(2_000);
  await rows.get('a');
  expect(read).toHaveBeenCalledTimes(1);
  pass(1);
  await rows.get('a');
  expect(read).toHaveBeenCalledTimes(2);
  for (let second = 0; second < 60; second += 1) {
    pass(1_000);
    listener.completeUntilMonotonicMs = performance.now();
    await rows.get('a');
  }
  expect(read).toHaveBeenCalledTimes(2);
  pass(2_001);
  await rows.get('a');
  expect(read).toHaveBeenCalledTimes(3);
});

it('is read again when its change is notified, and all are after the payload of all', async () => {
  const { rows, read, table, notify, changed } = setUp();
  await rows.get('a');
  await rows.get('b');
  table.row = null;
  notify('a');
  expect(changed).toHaveBeenCalledWith('a');
  expect(await rows.get('a')).toBeNull();
  expect(await rows.get('b')).not.toBeNull();
  notify('');
  expect(await rows.get('b')).toBeNull();
  expect(read).toHaveBeenCalledTimes(4);
});

it('is not kept when its change is notified while it is read', async () => {
  const { rows, table, notify, hold, respond } = setUp();
  const old = table.row;
  hold();
  const reading = rows.get('a');
  table.row = null;
  notify('a');
  respond(old);
  expect(await reading).toBe(old);
  expect(await rows.get('a')).toBeNull();
});

it('is read again when the process begins to listen, because it may have missed notifications', async () => {
  const { rows, table, beginListening } = setUp();
  await rows.get('a');
  table.row = null;
  beginListening();
  expect(await rows.get('a')).toBeNull();
});

it('keeps a missing row for two seconds only, because nothing notifies of new rows', async () => {
  const { rows, table, listener, pass } = setUp();
  table.row = null;
  expect(await rows.get('a')).toBeNull();
  table.row = { version: 1 };
  pass(2_001);
  listener.completeUntilMonotonicMs = performance.now();
  expect(await rows.get('a')).toBe(table.row);
});

it('does not keep a failed read', async () => {
  const { rows, read, table } = setUp();
  read.mockRejectedValueOnce(new Error('Postgres is unavailable'));
  await expect(rows.get('a')).rejects.toThrow('unavailable');
  expect(await rows.get('a')).toBe(table.row);
});
