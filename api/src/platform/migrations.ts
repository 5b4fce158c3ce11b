import { Client } from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Migrations of the api's own schemas, `auth` and `ledger`, in order. One that has run anywhere never changes. The
 * projections own those of the read models.
 */
const MIGRATIONS = [
  {
    name: 'CreateAccounts1760000000000',
    sql: `
      CREATE TABLE auth.accounts (
        gamer_id text PRIMARY KEY,
        gamer_tag text NOT NULL,
        email text NOT NULL,
        password_hash text,
        role text NOT NULL CHECK (role IN ('gamer', 'admin', 'auditor')),
        ref_code text NOT NULL CONSTRAINT accounts_ref_code UNIQUE,
        sponsor_id text,
        enrolled boolean NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE UNIQUE INDEX accounts_gamer_tag ON auth.accounts (lower(gamer_tag));
      CREATE UNIQUE INDEX accounts_email ON auth.accounts (lower(email));
      CREATE INDEX accounts_not_enrolled ON auth.accounts (created_at) WHERE NOT enrolled;
      CREATE TABLE auth.sessions (sid text PRIMARY KEY, sess json NOT NULL, expire timestamptz NOT NULL);
      CREATE INDEX sessions_expire ON auth.sessions (expire);
      CREATE INDEX sessions_gamer ON auth.sessions ((sess->>'gamerId'));
      -- The columns that rate-limiter-flexible requires.
      CREATE TABLE auth.attempts (key text PRIMARY KEY, points integer NOT NULL, expire bigint);
      CREATE INDEX attempts_expire ON auth.attempts (expire);
      CREATE TABLE auth.known_addresses (
        gamer_id text NOT NULL REFERENCES auth.accounts ON DELETE CASCADE,
        address text NOT NULL,
        last_seen_at timestamptz NOT NULL,
        PRIMARY KEY (gamer_id, address)
      );`,
  },
  {
    name: 'CreateLedgerTables1760000000100',
    sql: `
      CREATE SCHEMA IF NOT EXISTS ledger;
      CREATE TABLE ledger.ledger_snapshots (
        format int NOT NULL,
        revision bigint NOT NULL,
        chain text NOT NULL,
        position text NOT NULL,
        packed bytea NOT NULL,
        taken_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (format, revision)
      );
      CREATE TABLE ledger.liveness (
        node_id text PRIMARY KEY,
        alive_since bigint NOT NULL,
        last_alive_at bigint NOT NULL
      );`,
  },
  {
    name: 'CreatePasswordResets1760000000200',
    sql: `
      CREATE TABLE auth.password_resets (
        token_hash bytea PRIMARY KEY,
        gamer_id text NOT NULL REFERENCES auth.accounts ON DELETE CASCADE,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX password_resets_gamer ON auth.password_resets (gamer_id);
      CREATE INDEX password_resets_expiry ON auth.password_resets (expires_at);`,
  },
  {
    name: 'CreateRemovals1760000000300',
    sql: `
      -- No reference to accounts: the row outlives the account, until the erasure is complete.
      CREATE TABLE auth.removals (
        gamer_id text PRIMARY KEY,
        actor_id text NOT NULL,
        command_id text NOT NULL,
        begun_at timestamptz NOT NULL
      );`,
  },
  {
    name: 'CreatePaymentLooks1760000000400',
    sql: `
      CREATE TABLE ledger.payment_looks (
        order_id text PRIMARY KEY,
        looked_at_ms bigint NOT NULL,
        next_at_ms bigint NOT NULL
      );`,
  },
  {
    name: 'RenamePaymentLooks1760000000500',
    sql: `
      ALTER TABLE ledger.payment_looks RENAME TO payment_polls;
      ALTER TABLE ledger.payment_polls RENAME looked_at_ms TO polled_at_ms;
      ALTER TABLE ledger.payment_polls RENAME CONSTRAINT payment_looks_pkey TO payment_polls_pkey;`,
  },
];

const classes = MIGRATIONS.map(
  ({ name, sql }) =>
    class implements MigrationInterface {
      readonly name = name;

      async up(runner: QueryRunner): Promise<void> {
        await runner.query(sql);
      }

      async down(): Promise<void> {
        throw new Error(`${name} cannot be reverted`);
      }
    },
);

const LOCK = 'omni-jackpot: migrations of the api';

/** Migrates the api's schemas. When several processes start together, one migrates and the others wait. */
export async function migrate(databaseUrl: string): Promise<void> {
  const lock = new Client({ connectionString: databaseUrl, application_name: 'omni-jackpot-api-migrations' });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock(hashtext($1))', [LOCK]);
    // TypeORM keeps its table of migrations in this schema, so it must exist before the first migration.
    await lock.query('CREATE SCHEMA IF NOT EXISTS auth');
    const source = new DataSource({
      type: 'postgres',
      url: databaseUrl,
      schema: 'auth',
      migrations: classes,
      migrationsTableName: 'migrations',
    });
    await source.initialize();
    try {
      await source.runMigrations({ transaction: 'each' });
    } finally {
      await source.destroy();
    }
  } finally {
    // Ending the session releases the lock.
    await lock.end();
  }
}
