import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { builtFile } from '../embedded/launcher/built-files.js';
import { type SupervisedProcess, startProcess } from '../embedded/launcher/supervised-process.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { startPostgres } from '../embedded/postgres/postgres-server.js';

/** A durable Postgres in a temporary folder. */
export interface Stores {
  folder: string;
  createDatabase(purpose: string): Promise<string>;
  startEventStore(database: string): Promise<{ url: string; stop(): Promise<void> }>;
  /** Makes each forced write take longer, by at most 100 ms: Postgres waits before it. */
  slowDisk(ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function startStores(): Promise<Stores> {
  const folder = await mkdtemp(join(tmpdir(), 'omni-jackpot-bench-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  const processes: SupervisedProcess[] = [];
  const asOwner = async (...statements: string[]): Promise<void> => {
    const client = new Client({ connectionString: postgres.url('postgres') });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  let databases = 0;
  const createDatabase = async (purpose: string): Promise<string> => {
    databases += 1;
    const name = `${purpose}_${databases}`;
    await asOwner(`CREATE DATABASE ${escapeIdentifier(name)}`);
    return postgres.url(name);
  };
  return {
    folder,
    createDatabase,
    async startEventStore(database) {
      const port = await anyFreePort();
      const eventStore = await startProcess({
        name: 'event store',
        script: builtFile('embedded/event-store/main.js'),
        env: { EVENT_STORE_DATABASE_URL: await createDatabase(database), EVENT_STORE_PORT: String(port) },
        logFile: join(folder, `${database}.log`),
        notify: console.error,
      });
      processes.push(eventStore);
      return { url: `esdb://127.0.0.1:${port}?tls=false`, stop: () => eventStore.stop() };
    },
    // The process that forces the log waits, and commits that arrive meanwhile share its write, as on a slow disk.
    slowDisk: (ms) =>
      asOwner(
        `ALTER SYSTEM SET commit_delay = ${Math.round(ms * 1_000)}`,
        'ALTER SYSTEM SET commit_siblings = 0',
        'SELECT pg_reload_conf()',
      ),
    async close() {
      await Promise.all(processes.map((running) => running.stop()));
      await postgres.stop();
      await Promise.all([folder, postgres.folder].map((path) => rm(path, { recursive: true, force: true })));
    },
  };
}
