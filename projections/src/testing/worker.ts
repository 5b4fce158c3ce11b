import { pino } from 'pino';
import { until } from '../../../contracts/testing/until.js';
import { createTestDatabase, type TestDatabase } from '../../../embedded/postgres/testing/test-database.js';
import { connect, type Db, type Session } from '../database.js';
import { READ_SCHEMA, readCheckpoint } from '../read-schema.js';
import { Runner, type RunnerOptions } from '../runner.js';
import { allViews } from '../views/all-views.js';
import type { View } from '../views/view.js';
import type { MemoryLog } from './memory-log.js';

/** A new database and the runners that write to it. */
export class TestWorker {
  private readonly running = new Set<Runner>();

  database!: TestDatabase;
  db!: Session;

  static async open(): Promise<TestWorker> {
    const worker = new TestWorker();
    await worker.open();
    return worker;
  }

  /** One for all tests of the file, or with `each` one for each of them. */
  static forTests(scope: 'all' | 'each'): TestWorker {
    const worker = new TestWorker();
    const [before, after] = scope === 'all' ? [beforeAll, afterAll] : [beforeEach, afterEach];
    before(() => worker.open());
    after(() => worker.close());
    return worker;
  }

  private async open(): Promise<void> {
    this.database = await createTestDatabase();
    this.db = await connect(this.database.url, READ_SCHEMA);
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.running].map((runner) => runner.stop()));
    this.running.clear();
  }

  async close(): Promise<void> {
    await this.stopAll();
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

  /** Starts a runner, and waits until the tables have the whole log. */
  async project(log: MemoryLog, options: Partial<RunnerOptions>): Promise<void> {
    const { failures } = this.start(log, options);
    await this.reached(log.end);
    expect(failures).toEqual([]);
  }

  async position(): Promise<string | null> {
    return (await readCheckpoint(this.db).catch(() => null))?.position ?? null;
  }

  async reached(wanted: string): Promise<void> {
    await until(
      () => this.position(),
      (position) => position === wanted,
    );
  }
}

/** All compared rows of the views as text, sorted by their text. */
export async function contents(db: Db, views: readonly View[] = allViews): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const table of views.flatMap((view) => view.compared ?? view.tables)) {
    const { rows } = await db.query<{ row: string }>(`SELECT t::text AS row FROM read.${table} AS t ORDER BY 1`);
    tables[table] = rows.map(({ row }) => row);
  }
  return tables;
}
