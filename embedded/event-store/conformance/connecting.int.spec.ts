import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freshStream, StoreUnderTest } from '../testing/store-under-test.js';

const store = new StoreUnderTest();

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
