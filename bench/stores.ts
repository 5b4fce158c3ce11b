import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { builtFile } from '../embedded/launcher/built-files.js';
import { type ProcessName, startProcess } from '../embedded/launcher/child-process.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { startPostgres } from '../embedded/postgres/postgres-server.js';

/** A process of the run on a port of its own. */
interface RunningProcess {
  port: number;
  stop(): Promise<void>;
}

interface Program {
  /** The process whose flags of Node it gets. */
  like: ProcessName;
  script: string;
  env: Record<string, string>;
  /** Name of the log file. */
  log: string;
  /** The path that responds with 200 when it is ready; without it, it prints that it is. */
  healthPath?: string;
}

export type Stores = Awaited<ReturnType<typeof startStores>>;

/** A durable Postgres in a temporary folder, and the processes of the run. */
export async function startStores() {
  const folder = await mkdtemp(join(tmpdir(), 'omni-jackpot-bench-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  const processes: RunningProcess[] = [];
  let databases = 0;
  const createDatabase = async (purpose: string): Promise<string> => {
    databases += 1;
    const name = `${purpose}_${databases}`;
    const owner = new Client({ connectionString: postgres.url('postgres') });
    await owner.connect();
    await owner.query(`CREATE DATABASE ${escapeIdentifier(name)}`).finally(() => owner.end());
    return postgres.url(name);
  };
  const start = async ({ like, script, env, log, healthPath }: Program): Promise<RunningProcess> => {
    const port = await anyFreePort();
    const running = await startProcess({
      name: like,
      script: builtFile(script),
      env: { ...env, PORT: String(port), EVENT_STORE_PORT: String(port) },
      logFile: join(folder, `${log}.log`),
      ...(healthPath && { healthUrl: `http://127.0.0.1:${port}${healthPath}` }),
      notify: console.error,
    });
    const started = { port, stop: () => running.stop() };
    processes.push(started);
    return started;
  };
  return {
    folder,
    createDatabase,
    start,
    async startEventStore(database: string): Promise<{ url: string; stop(): Promise<void> }> {
      const env = { EVENT_STORE_DATABASE_URL: await createDatabase(database) };
      const store = await start({ like: 'event store', script: 'embedded/event-store/main.js', env, log: database });
      return { url: `esdb://127.0.0.1:${store.port}?tls=false`, stop: store.stop };
    },
    async close(): Promise<void> {
      await Promise.all(processes.map((running) => running.stop()));
      await postgres.stop();
      await Promise.all([folder, postgres.folder].map((path) => rm(path, { recursive: true, force: true })));
    },
  };
}
