import { randomUUID } from 'node:crypto';
import {
  type AllStreamRecordedEvent,
  type EventStoreDBClient as Client,
  type EventData,
  EventStoreDBClient,
  jsonEvent,
} from '@eventstore/db-client';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { type RunningEventStore, startEventStore } from '../start-event-store.js';

/** The store the suite runs against: the one EVENT_STORE_CONNECTION names, else an embedded one on a fresh database. */
export class StoreUnderTest {
  private constructor(
    readonly connectionString: string,
    readonly client: Client,
    private readonly own: { store: RunningEventStore; database: TestDatabase } | undefined,
  ) {}

  static async open(): Promise<StoreUnderTest> {
    const given = process.env.EVENT_STORE_CONNECTION;
    if (given !== undefined && given !== '') {
      return new StoreUnderTest(given, EventStoreDBClient.connectionString(given), undefined);
    }
    const database = await createTestDatabase();
    const store = await startEventStore({ databaseUrl: database.url });
    const client = EventStoreDBClient.connectionString(store.connectionString);
    return new StoreUnderTest(store.connectionString, client, { store, database });
  }

  async close(): Promise<void> {
    await this.client.dispose();
    await this.own?.store.close();
    await this.own?.database.drop();
  }
}

/** A stream nobody has used, on a store that may have been used before. */
export function freshStream(prefix = 'conformance'): string {
  return `${prefix}-${randomUUID()}`;
}

export function events(count: number, type = 'Tested'): EventData[] {
  return Array.from({ length: count }, (_, index) => jsonEvent({ type, data: { index }, metadata: { of: count } }));
}

interface Resolved {
  event?: { revision: bigint; id: string; type: string; streamId: string };
}

export async function collect<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

export async function revisionsOf(stream: AsyncIterable<Resolved>): Promise<number[]> {
  return (await collect(stream)).map(({ event }) => Number(event?.revision));
}

export async function positionsOf(stream: AsyncIterable<{ event?: AllStreamRecordedEvent }>): Promise<bigint[]> {
  return (await collect(stream)).map(({ event }) => event!.position.commit);
}

/** What a promise is rejected with; fails when it is not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was refused.');
}

/** Waits until a condition holds; the test's own time limit ends a wait in vain. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
