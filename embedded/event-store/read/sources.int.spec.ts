import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { proposeJson } from '../log/event-frame.js';
import { EventLog } from '../log/event-log.js';
import { LogWriter } from '../log/log-writer.js';
import { StreamSource, StreamTombstonedError } from './sources.js';
import { bytesOf } from './span.js';

describe('following a stream', () => {
  let database: TestDatabase;
  let log: EventLog;
  beforeAll(async () => {
    database = await createTestDatabase();
    log = await EventLog.open(database.url, fail);
  });
  afterAll(async () => {
    await log.close();
    await database.drop();
  });

  const fail = (error: Error) => {
    throw error;
  };

  it('returns the events before a tombstone of the same commit, then throws', async () => {
    const writer = new LogWriter(log, fail);
    const source = new StreamSource(log, 'ended', 0);
    expect(await source.next()).toEqual([]);
    const request = { stream: 'ended', expectation: 'any', bytes: 0, deadlineMs: Infinity } as const;
    for (const type of ['First', 'Second', 'Third']) {
      void writer.write({ ...request, kind: 'append', events: [proposeJson(randomUUID(), type, '{}')] });
    }
    void writer.write({ ...request, kind: 'tombstone' });
    await writer.idle();
    const read = Buffer.concat((await source.next()).map(bytesOf)).toString('latin1');
    expect(read.match(/First|Second|Third/g)).toEqual(['First', 'Second', 'Third']);
    expect(source.atEnd).toBe(false);
    await expect(source.next()).rejects.toThrow(StreamTombstonedError);
  });
});
