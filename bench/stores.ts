import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { builtFile } from '../embedded/launcher/built-files.js';
import { startProcess } from '../embedded/launcher/supervised-process.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { startPostgres } from '../embedded/postgres/postgres-server.js';

/** A durable Postgres in a temporary folder. */
export interface Stores {
  folder: string;
  createDatabase(purpose: string): Promise<string>;
  startEventStore(database: string): Promise<{ url: string; stop(): Promise<void> }>;
  close(): Promise<void>;
}

export async function startStores(): Promise<Stores> {
  const folder = await mkdtemp(join(tmpdir(), 'omni-jackpot-bench-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  const processes: Awaited<ReturnType<typeof startProcess>>[] = [];
  let databases = 0;
  const createDatabase = async (purpose: string): Promise<string> => {
    databases += 1;
    const name = `${purpose}_${databases}`;
    const owner = new Client({ connectionString: postgres.url('postgres') });
    await owner.connect();
    await owner.query(`CREATE DATABASE ${escapeIdentifier(name)}`).finally(() => owner.end());
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
    async close() {
      await Promise.all(processes.map((running) => running.stop()));
      await postgres.stop();
      await Promise.all([folder, postgres.folder].map((path) => rm(path, { recursive: true, force: true })));
    },
  };
}
