import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { CreateAccounts1760000000000 } from './accounts/migrations/1760000000000-create-accounts.js';
import { CreateLedgerTables1760000000100 } from './ledger/migrations/1760000000100-create-ledger-tables.js';
import { CreatePasswordResets1760000000200 } from './password-resets/migrations/1760000000200-create-password-resets.js';
import { CreatePaymentLooks1760000000400 } from './payments/migrations/1760000000400-create-payment-looks.js';
import { CreateRemovals1760000000300 } from './removals/migrations/1760000000300-create-removals.js';

/** The schemas that the api owns: `auth` and `ledger`. Those of the read models belong to the projections. */
const MIGRATIONS = [
  CreateAccounts1760000000000,
  CreateLedgerTables1760000000100,
  CreatePasswordResets1760000000200,
  CreateRemovals1760000000300,
  CreatePaymentLooks1760000000400,
];

const LOCK = 'omni-jackpot: migrations of the api';

/** Brings the api's schemas up to date. Several processes may start together: one migrates, the others wait for it. */
export async function migrate(databaseUrl: string): Promise<void> {
  const lock = new Client({ connectionString: databaseUrl, application_name: 'omni-jackpot-api-migrations' });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock(hashtext($1))', [LOCK]);
    // The table that remembers the migrations lives in this schema, so it comes before the first of them.
    await lock.query('CREATE SCHEMA IF NOT EXISTS auth');
    const source = new DataSource({
      type: 'postgres',
      url: databaseUrl,
      schema: 'auth',
      migrations: MIGRATIONS,
      migrationsTableName: 'migrations',
    });
    await source.initialize();
    try {
      await source.runMigrations({ transaction: 'each' });
    } finally {
      await source.destroy();
    }
  } finally {
    // Ends the session, and with it the lock.
    await lock.end();
  }
}
