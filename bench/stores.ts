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
  createDatabase(purpose: string): Promise<string>;
  /** An event store in its own process on a new database. */
  startEventStore(database: string): Promise<{ url: string; stop(): Promise<void> }>;
  /** As on a disk on which a forced write takes so much longer, at most 100 ms: Postgres waits before each. */
  slowDisk(ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function startStores(): Promise<Stores> {
  const folder = await mkdtemp(join(tmpdir(), 'omni-jackpot-bench-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  const parts: Part[] = [];
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
    // Whoever writes the log to the disk waits, commits that came meanwhile with it: as they do for a slow disk.
    slowDisk: (ms) =>
      asOwner(
        `ALTER SYSTEM SET commit_delay = ${Math.round(ms * 1_000)}`,
        'ALTER SYSTEM SET commit_siblings = 0',
        'SELECT pg_reload_conf()',
      ),
    async close() {
      await Promise.all(parts.map((part) => part.stop()));
      await postgres.stop();
      await Promise.all([folder, postgres.folder].map((path) => rm(path, { recursive: true, force: true })));
    },
  };
}
