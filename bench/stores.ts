import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { builtFile } from '../embedded/launcher/built-files.js';
import { type Part, startPart } from '../embedded/launcher/part.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { startPostgres } from '../embedded/postgres/postgres-server.js';

/** A durable Postgres in a folder of its own, which is removed in the end. */
export interface Stores {
  folder: string;
  /** A new, empty database. */
  createDatabase(name: string): Promise<string>;
  /** An event store in its own process on a new database. */
  startEventStore(database: string): Promise<{ url: string; stop(): Promise<void> }>;
  close(): Promise<void>;
}

export async function startStores(): Promise<Stores> {
  const folder = await mkdtemp(join(tmpdir(), 'omni-jackpot-bench-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  const parts: Part[] = [];
  const createDatabase = async (name: string): Promise<string> => {
    const client = new Client({ connectionString: postgres.url('postgres') });
    await client.connect();
    try {
      await client.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
    } finally {
      await client.end();
    }
    return postgres.url(name);
  };
  return {
    folder,
    createDatabase,
    async startEventStore(database) {
      const port = await anyFreePort();
      const part = await startPart({
        name: 'event store',
        script: builtFile('embedded/event-store/main.js'),
        env: { EVENT_STORE_DATABASE_URL: await createDatabase(database), EVENT_STORE_PORT: String(port) },
        logFile: join(folder, `${database}.log`),
        say: console.error,
      });
      parts.push(part);
      return { url: `esdb://127.0.0.1:${port}?tls=false`, stop: () => part.stop() };
    },
    async close() {
      await Promise.all(parts.map((part) => part.stop()));
      await postgres.stop();
      await Promise.all([folder, postgres.folder].map((path) => rm(path, { recursive: true, force: true })));
    },
  };
}
