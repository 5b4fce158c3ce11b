import { randomUUID } from 'node:crypto';
import {
  type EventStoreDBClient as Client,
  type EventData,
  EventStoreDBClient,
  jsonEvent,
} from '@eventstore/db-client';
import { startTestEventStore, type TestEventStore } from './test-event-store.js';

/** The store that the suite tests: the one that EVENT_STORE_CONNECTION names, else an empty one. */
export class StoreUnderTest {
  connectionString = process.env.EVENT_STORE_CONNECTION ?? '';
  client!: Client;

  /** Open during the tests of the file. */
  constructor() {
    let own: TestEventStore | undefined;
    beforeAll(async () => {
      if (this.connectionString === '') own = await startTestEventStore();
      this.connectionString = own?.connectionString ?? this.connectionString;
      this.client = EventStoreDBClient.connectionString(this.connectionString);
    });
    afterAll(async () => {
      await this.client.dispose();
      await own?.close();
    });
  }
}

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

/** Returns the error that a promise rejects with. Throws when the promise resolves. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('the promise resolved');
}
