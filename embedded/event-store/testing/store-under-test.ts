import { randomUUID } from 'node:crypto';
import { type EventData, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { startTestEventStore } from './test-event-store.js';

/** The store that the suite tests, open during the tests of the file: the one that EVENT_STORE_CONNECTION names, else an empty one. */
export class StoreUnderTest {
  connectionString = '';
  client!: EventStoreDBClient;

  constructor() {
    const named = process.env.EVENT_STORE_CONNECTION;
    let close = async () => {};
    beforeAll(async () => {
      const store = named === undefined ? await startTestEventStore() : { connectionString: named, close };
      ({ connectionString: this.connectionString, close } = store);
      this.client = EventStoreDBClient.connectionString(this.connectionString);
    });
    afterAll(async () => {
      await this.client.dispose();
      await close();
    });
  }
}

export const freshStream = (prefix = 'conformance'): string => `${prefix}-${randomUUID()}`;

export function events(count: number, type = 'Tested'): EventData[] {
  return Array.from({ length: count }, (_, index) => jsonEvent({ type, data: { index }, metadata: { of: count } }));
}

export async function collect<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

export async function revisionsOf(stream: AsyncIterable<{ event?: { revision: bigint } }>): Promise<number[]> {
  return (await collect(stream)).map(({ event }) => Number(event?.revision));
}

/** Returns the error that a promise rejects with. Throws when the promise resolves. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error('the promise resolved');
    },
    (error: unknown) => error,
  );
