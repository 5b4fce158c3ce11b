import { Client, escapeIdentifier } from 'pg';
import { type PostgresOptions, type PostgresServer, startPostgres } from '../postgres/postgres-server.js';

/** The event store's own database, apart from the application's: dropping the tables loses no history. */
export const EVENTS_DATABASE = 'omni_events';
export const APPLICATION_DATABASE = 'omni';

export interface Databases {
  url(database: string): string;
  folder: string;
  stop(): Promise<void>;
}

const RETRY_MS = 1_000;

/** Starts Postgres with both databases in it, and starts it again, on the same port, should it die. */
export async function startDatabases(options: PostgresOptions, say: (line: string) => void): Promise<Databases> {
  let server = await startPostgres(options);
  let wanted = true;
  for (const database of [EVENTS_DATABASE, APPLICATION_DATABASE]) await ensureDatabase(server, database);

  async function keepAlive(): Promise<void> {
    while (wanted) {
      await server.exited;
      await server.stop(); // Releases what it held.
      if (!wanted) return;
      say('Postgres ended; starting it again.');
      while (wanted) {
        try {
          server = await startPostgres({ ...options, port: server.port });
          say('Postgres is back.');
          break;
        } catch (error) {
          say((error as Error).message);
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        }
      }
    }
  }

  const settled = keepAlive();
  return {
    url: (database) => server.url(database),
    folder: server.folder,
    async stop() {
      wanted = false;
      await server.stop();
      await settled;
      await server.stop(); // It may have been started anew meanwhile.
    },
  };
}

async function ensureDatabase(server: PostgresServer, name: string): Promise<void> {
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
