import { expect } from '@playwright/test';
import { Client } from 'pg';
import { Auditor } from '../audit/replay/auditor.js';
import { ledgerOf } from '../audit/replay/verify.js';
import { differencesFrom, readTables } from '../audit/tables/tables.js';
import type { RecordedLedgerEvent } from '../contracts/events/recorded.js';
import type { LedgerAccount } from '../contracts/ledger-accounts.js';
import { EventLog } from '../event-log/event-log.js';
import type { StartedApplication } from './test-app.js';

interface Reconciliation {
  events: RecordedLedgerEvent[];
  /** Cents by account, recomputed from the log; accounts at zero are left out. */
  balances: Map<LedgerAccount, number>;
}

/** Expects that the auditor finds nothing wrong in the ledger, and the same balances and winners in the tables. */
export async function expectReconciled({ databaseUrl, eventStoreUrl }: StartedApplication): Promise<Reconciliation> {
  const log = new EventLog(eventStoreUrl);
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const auditor = new Auditor();
    const events: RecordedLedgerEvent[] = [];
    for await (const event of ledgerOf(log)) {
      auditor.take(event);
      events.push(event);
    }
    expect(auditor.findings).toEqual([]);
    expect(await differencesFrom(auditor, await readTables(database))).toEqual([]);
    return { events, balances: new Map(auditor.accounts.nonZero()) };
  } finally {
    await database.end();
    await log.close();
  }
}
