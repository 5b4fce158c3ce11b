import { Client } from 'pg';
import { startEventStore } from '../../embedded/event-store/start-event-store.js';
import { createTestDatabase, type TestDatabase } from '../../embedded/postgres/testing/test-database.js';
import type { Stores } from './api-under-test.js';

/** Both stores. The log can be set back to an earlier state, as by an older backup, and brought back. */
export class RestorableStores implements Stores {
  private constructor(
    private readonly tables: TestDatabase,
    private readonly events: TestDatabase,
    private running: Awaited<ReturnType<typeof startEventStore>>,
  ) {}

  static async start(): Promise<RestorableStores> {
    const [tables, events] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    return new RestorableStores(tables, events, await startEventStore({ databaseUrl: events.url }));
  }

  get databaseUrl(): string {
    return this.tables.url;
  }

  get eventStoreUrl(): string {
    return this.running.connectionString;
  }

  /** The state that a backup of the log would have now. */
  async backUp(): Promise<string> {
    return this.onLog(async (client) => {
      const { rows } = await client.query<{ position: string }>('SELECT max(position) AS position FROM runs');
      return rows[0]!.position;
    });
  }

  /** Sets the log back to a backup. */
  async restore(backup: string): Promise<void> {
    await this.whileStopped(
      'DROP TABLE IF EXISTS later; CREATE TABLE later AS SELECT * FROM runs WHERE position > $; DELETE FROM runs WHERE position > $',
      backup,
    );
  }

  /** Undoes the last `restore`, if nothing was written since. */
  async bringBack(): Promise<void> {
    await this.whileStopped('INSERT INTO runs SELECT * FROM later; DROP TABLE later', '');
  }

  async close(): Promise<void> {
    await this.running.close();
    await Promise.all([this.tables.drop(), this.events.drop()]);
  }

  private async whileStopped(sql: string, position: string): Promise<void> {
    const { port } = this.running;
    await this.running.close();
    await this.onLog((client) => client.query(sql.replaceAll('$', position)));
    this.running = await startEventStore({ databaseUrl: this.events.url, port });
  }

  private async onLog<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: this.events.url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}
