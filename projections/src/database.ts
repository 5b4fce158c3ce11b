import { Client } from 'pg';

export interface Db {
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    parameters?: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
}

export type Session = Db & { end(): Promise<void> };

/** A session in `schema`. Commits do not wait for the disk: rows and checkpoint are lost together. */
export async function connect(databaseUrl: string, schema: string): Promise<Session> {
  const client = new Client({
    connectionString: databaseUrl,
    keepAlive: true,
    application_name: 'projections',
    // A statement is sent before the responses to the earlier ones have come: Postgres never waits between two statements.
    pipeline: true,
  });
  // After a lost connection the next query fails. Without a listener the event would end the process.
  client.on('error', () => {});
  await client.connect();
  await client.query(
    `SET search_path TO ${schema}; SET synchronous_commit TO off; SET idle_in_transaction_session_timeout TO '60s';
     SET tcp_keepalives_idle TO 5; SET tcp_keepalives_interval TO 2; SET tcp_keepalives_count TO 3`,
  );
  return client;
}
