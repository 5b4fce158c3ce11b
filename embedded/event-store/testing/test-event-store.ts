import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createTestDatabase } from '../../postgres/testing/test-database.js';
import { startEventStore } from '../start-event-store.js';

export interface TestEventStore {
  connectionString: string;
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 120_000;

/**
 * Starts an empty event store: with the program in TEST_EVENT_STORE, or without it the embedded one on a new database.
 * The program must print the connection string, alone on a line, and stop its server when its input closes.
 */
export async function startTestEventStore(): Promise<TestEventStore> {
  const program = process.env.TEST_EVENT_STORE;
  if (program) return startProgram(program);
  const database = await createTestDatabase();
  const { connectionString, close } = await startEventStore({ databaseUrl: database.url });
  return {
    connectionString,
    close: async () => {
      await close();
      await database.drop();
    },
  };
}

async function startProgram(program: string): Promise<TestEventStore> {
  const child = spawn(program, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill(), START_TIMEOUT_MS);
  try {
    for await (const line of createInterface(child.stdout)) {
      if (!/^(esdb|kurrentdb)(\+discover)?:\/\//.test(line)) continue;
      child.stdout.resume();
      return {
        connectionString: line.trim(),
        close: async () => {
          child.stdin.end();
          await ended;
        },
      };
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error(`the program of TEST_EVENT_STORE printed no connection string: ${program}`);
}
