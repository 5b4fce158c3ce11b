import { pino } from 'pino';
import { createTestDatabase, type TestDatabase } from '../../../embedded/postgres/test-database.js';
import { type Connection, connect } from '../database.js';
import { READ_SCHEMA } from '../read-schema.js';
import { Runner, type RunnerOptions } from '../runner.js';
import { allViews } from '../views/all-views.js';
import { until } from './tables.js';

/** A database of its own and the runners that write to it. */
export class Workplace {
  private readonly running = new Set<Runner>();

  private constructor(
    readonly database: TestDatabase,
    readonly db: Connection,
  ) {}

  static async open(): Promise<Workplace> {
    const database = await createTestDatabase();
    return new Workplace(database, await connect(database.url, READ_SCHEMA));
  }

  async close(): Promise<void> {
    await Promise.all([...this.running].map((runner) => runner.stop()));
    await this.db.end();
    await this.database.drop();
  }

  start(log: RunnerOptions['log'], options: Partial<RunnerOptions> = {}): { stop(): Promise<void>; failures: Error[] } {
    const failures: Error[] = [];
    const runner = new Runner({
      databaseUrl: this.database.url,
      log,
      views: allViews,
      logger: pino({ level: 'silent' }),
      onFatal: (error) => failures.push(error),
      ...options,
    });
    this.running.add(runner);
    runner.start();
    const stop = async () => {
      this.running.delete(runner);
      await runner.stop();
    };
    return { stop, failures };
  }

  async position(): Promise<string | null> {
    const { rows } = await this.db.query<{ exists: boolean }>(
      "SELECT to_regclass('read.checkpoint') IS NOT NULL AS exists",
    );
    if (!rows[0]?.exists) return null;
    const checkpoint = await this.db.query<{ position: string }>('SELECT position FROM read.checkpoint');
    return checkpoint.rows[0]?.position ?? null;
  }

  reached(wanted: string): Promise<void> {
    return until(async () => (await this.position()) === wanted, `the checkpoint at ${wanted}`);
  }
}
