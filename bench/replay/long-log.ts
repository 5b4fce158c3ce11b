import { Pool } from 'pg';
import { LedgerReplica } from '../../api/src/ledger/ledger-replica.js';
import { EVENTS_BETWEEN, Snapshots, SnapshotsStore } from '../../api/src/ledger/snapshots.store.js';
import { migrate } from '../../api/src/platform/migrations.js';
import { EventLog } from '../../event-log/event-log.js';
import { byLedger, openLedger } from '../commands.bench.js';
import { scenarioOf } from '../scenario.js';

const BUYERS = 2_000;

/** The end of a long log. */
export interface LogEnd {
  revision: number;
  position: string;
}

/** Purchases with seven paid uplines, and in each database the snapshot from which a start replays most. */
export async function fillLog(eventStoreUrl: string, databaseUrls: readonly string[], events: number): Promise<LogEnd> {
  const log = new EventLog(eventStoreUrl);
  const replica = new LedgerReplica();
  const scenario = scenarioOf('admin0000000', BUYERS);
  const ledger = await openLedger(log, scenario, replica);
  try {
    const buyOne = byLedger(ledger, scenario);
    const buyUntil = async (revision: number): Promise<void> => {
      while (replica.revision < revision) await Promise.all(scenario.buyers.map((_, buyer) => buyOne(buyer)));
    };
    await buyUntil(events - EVENTS_BETWEEN);
    for (const url of databaseUrls) await saveIn(url, replica);
    await buyUntil(events - 1);
    return { revision: replica.revision, position: replica.position };
  } finally {
    await ledger.stop();
    await log.close();
  }
}

async function saveIn(databaseUrl: string, replica: LedgerReplica): Promise<void> {
  await migrate(databaseUrl);
  const pool = new Pool({ connectionString: databaseUrl });
  await snapshotsIn(pool).save(replica);
  await pool.end();
}

export const snapshotsIn = (pool: Pool): Snapshots =>
  new Snapshots(new SnapshotsStore(pool), ['the secret of the bench']);
