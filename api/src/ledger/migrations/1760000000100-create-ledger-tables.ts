import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateLedgerTables1760000000100 implements MigrationInterface {
  name = 'CreateLedgerTables1760000000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA IF NOT EXISTS ledger');
    await runner.query(`
      CREATE TABLE ledger.ledger_snapshots (
        format int NOT NULL,
        revision bigint NOT NULL,
        chain text NOT NULL,
        position text NOT NULL,
        packed bytea NOT NULL,
        taken_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (format, revision)
      )`);
    await runner.query(`
      CREATE TABLE ledger.liveness (
        node_id text PRIMARY KEY,
        alive_since bigint NOT NULL,
        last_alive_at bigint NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA ledger CASCADE');
  }
}
