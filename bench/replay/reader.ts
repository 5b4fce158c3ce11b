import { Client, Pool } from 'pg';
import { pino } from 'pino';
import { Ledger } from '../../api/src/ledger/ledger.js';
import { LedgerReplica } from '../../api/src/ledger/ledger-replica.js';
import { verify } from '../../audit/replay/verify.js';
import { readTables } from '../../audit/tables/tables.js';
import { EventLog } from '../../event-log/event-log.js';
import { disablePretenuring } from '../../event-log/startup.js';
import { Runner } from '../../projections/src/runner.js';
import { allViews } from '../../projections/src/views/all-views.js';
import { type LogEnd, snapshotsIn } from './long-log.js';

export type Work = 'reading' | 'start' | 'start from a snapshot' | 'tables' | 'verify';

export interface ReaderOrder {
  work: Work;
  eventStoreUrl: string;
  databaseUrl: string;
  end: LogEnd;
}

export interface ReaderResult {
  tookMs: number;
  residentMiB: number;
}

/* Reads the whole log once in one of the ways, in a process of its own. Prints a ReaderResult. */
const { work, eventStoreUrl, databaseUrl, end } = JSON.parse(process.argv[2] as string) as ReaderOrder;
disablePretenuring();
const log = new EventLog(eventStoreUrl);
await log.checkConnection();

const works: Record<Work, () => Promise<number>> = {
  async reading() {
    let last = -1;
    for await (const { revision } of log.readStream('ledger')) last = revision;
    return last;
  },
  start: () => startNode(new LedgerReplica()),
  async 'start from a snapshot'() {
    const pool = new Pool({ connectionString: databaseUrl });
    const replica = await snapshotsIn(pool).newestReplica(log, (reason) => {
      throw new Error(reason);
    });
    await pool.end();
    if (replica.revision < 0) throw new Error('there is no snapshot');
    return startNode(replica);
  },
  async tables() {
    const caughtUp = new Client({ connectionString: databaseUrl });
    await caughtUp.connect();
    await caughtUp.query('LISTEN projections');
    const reached = new Promise<void>((resolve) => {
      caughtUp.on('notification', ({ payload }) => payload === end.position && resolve());
    });
    const logger = pino({ level: 'silent' });
    const failed = new Promise<never>((_, reject) => {
      const runner = new Runner({ databaseUrl, log, views: allViews, logger, onFatal: reject });
      runner.start();
      void reached.then(() => runner.stop());
    });
    await Promise.race([reached, failed]);
    await caughtUp.end();
    return end.revision;
  },
  async verify() {
    const database = new Client({ connectionString: databaseUrl });
    await database.connect();
    const { findings, events, comparedEvents } = await verify(log, await readTables(database));
    await database.end();
    if (findings.length > 0) throw new Error(JSON.stringify(findings[0]));
    if (comparedEvents !== events) throw new Error('the tables were not compared');
    return events - 1;
  },
};

async function startNode(replica: LedgerReplica): Promise<number> {
  const sources = { now: Date.now, newEventId: String, newId: String };
  const ledger = new Ledger(replica, log, sources, (error) => {
    throw error;
  });
  await ledger.start();
  await ledger.stop();
  return ledger.head.revision;
}

const from = performance.now();
const revision = await works[work]();
const tookMs = performance.now() - from;
if (revision !== end.revision) throw new Error(`${work} ended at ${revision}, not at ${end.revision}`);
const result: ReaderResult = { tookMs, residentMiB: process.resourceUsage().maxRSS / 1024 };
console.log(JSON.stringify(result));
process.exit();
