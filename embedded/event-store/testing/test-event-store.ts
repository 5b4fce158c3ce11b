import { spawn } from 'node:child_process';
import { programOf } from '../../launcher/testing/program.js';
import { createTestDatabase } from '../../postgres/testing/test-database.js';
import { startEventStore } from '../start-event-store.js';

export interface TestEventStore {
  connectionString: string;
  close(): Promise<void>;
}

/** Starts an empty event store: the program in TEST_EVENT_STORE, which prints the connection string, or the embedded one. */
export async function startTestEventStore(): Promise<TestEventStore> {
  const program = process.env.TEST_EVENT_STORE;
  if (program) return startNamedStore(program);
  const database = await createTestDatabase();
  const { connectionString, close } = await startEventStore({ databaseUrl: database.url });
  return { connectionString, close: () => close().then(database.drop) };
}

async function startNamedStore(program: string): Promise<TestEventStore> {
  const child = spawn(program, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const { untilPrinted, ended } = programOf(child);
  const [connectionString] = await untilPrinted(/^(esdb|kurrentdb)(\+discover)?:\/\/.*(?=\n)/m);
  const close = async () => {
    child.stdin.end();
    await ended;
  };
  return { connectionString, close };
}
