import { readdirSync, readFileSync } from 'node:fs';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { withLock } from '../../../event-log/postgres.js';

const FOLDER = new URL('./migrations/', import.meta.url);

/** Migrations of the schemas `auth` and `ledger`, named as TypeORM stores them. One that has run never changes. */
const migrations = readdirSync(FOLDER).map((file) => {
  const name = file.replace('.sql', '');
  const sql = readFileSync(new URL(file, FOLDER), 'utf8');
  return class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(sql);
    }

    async down(): Promise<void> {
      throw new Error(`${name} cannot be reverted`);
    }
  };
});

/** Migrates the api's schemas. When several processes start together, one migrates and the others wait. */
export function migrate(databaseUrl: string): Promise<void> {
  return withLock(databaseUrl, 'migrations of the api', async () => {
    const source = new DataSource({
      type: 'postgres',
      url: databaseUrl,
      schema: 'auth',
      migrations,
      migrationsTableName: 'migrations',
    });
    await source.initialize();
    try {
      // TypeORM keeps its table of migrations in this schema, so it must exist before the first migration.
      await source.query('CREATE SCHEMA IF NOT EXISTS auth');
      await source.runMigrations({ transaction: 'each' });
    } finally {
      await source.destroy();
    }
  });
}
