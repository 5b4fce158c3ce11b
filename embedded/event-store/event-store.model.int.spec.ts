import { randomUUID } from 'node:crypto';
import { BACKWARDS, END, type EventData, EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import fc from 'fast-check';
import { caseCount } from '../../contracts/testing/case-count.js';
import { createTestDatabase, type TestDatabase } from '../postgres/testing/test-database.js';
import { type RunningEventStore, startEventStore } from './start-event-store.js';
import { collect } from './testing/store-under-test.js';

/** Random appends, races, retries, tombstones and restarts, against the store and against a few arrays. */
interface ModelStream {
  ids: string[];
  tombstoned: boolean;
}

const STREAMS = ['a', 'b', 'c'] as const;
type Name = (typeof STREAMS)[number];

type Step =
  | { kind: 'append'; stream: Name; count: number; expected: 'any' | 'last' | 'no-stream' | 'behind' }
  | { kind: 'retry'; stream: Name }
  | { kind: 'race'; stream: Name; writers: number }
  | { kind: 'tombstone'; stream: Name }
  | { kind: 'restart' };

const stream = fc.constantFrom(...STREAMS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      stream,
      count: fc.integer({ min: 1, max: 4 }),
      expected: fc.constantFrom('any' as const, 'last' as const, 'no-stream' as const, 'behind' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('retry' as const), stream }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('race' as const), stream, writers: fc.integer({ min: 2, max: 5 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('tombstone' as const), stream }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);

let database: TestDatabase;
let store: RunningEventStore;
let client: EventStoreDBClient;

async function open() {
  store = await startEventStore({ databaseUrl: database.url });
  client = EventStoreDBClient.connectionString(store.connectionString);
}

async function close() {
  await client.dispose();
  await store.close();
}

beforeAll(async () => {
  database = await createTestDatabase();
  await open();
});
afterAll(async () => {
  await close();
  await database.drop();
});

class Run {
  readonly model = new Map<Name, ModelStream>();
  /** All events in the order of `$all`. */
  readonly log: string[] = [];
  private readonly prefix = randomUUID();
  private readonly lastAppend = new Map<Name, { events: EventData[]; expectedRevision: bigint | typeof NO_STREAM }>();

  name(name: Name): string {
    return `${name}-${this.prefix}`;
  }

  state(name: Name): ModelStream {
    const known = this.model.get(name);
    if (known !== undefined) return known;
    const fresh = { ids: [], tombstoned: false };
    this.model.set(name, fresh);
    return fresh;
  }

  async take(step: Step): Promise<void> {
    if ('stream' in step && this.state(step.stream).tombstoned) return this.tryTombstoned(step.stream);
    switch (step.kind) {
      case 'append':
        return this.append(step.stream, step.count, step.expected);
      case 'retry':
        return this.retry(step.stream);
      case 'race':
        return this.race(step.stream, step.writers);
      case 'tombstone':
        return this.tombstone(step.stream);
      case 'restart':
        await close();
        await open();
    }
  }

  private async append(name: Name, count: number, expected: 'any' | 'last' | 'no-stream' | 'behind') {
    const state = this.state(name);
    const last = state.ids.length - 1;
    const events = newEvents(count);
    const expectedRevision = { any: 'any', last: exact(last), 'no-stream': NO_STREAM, behind: exact(last - 1) }[
      expected
    ] as bigint | 'any' | typeof NO_STREAM;
    const succeeds = expectedRevision === 'any' || expectedRevision === exact(last);
    const append = client.appendToStream(this.name(name), events, { expectedRevision });
    if (!succeeds) return void (await expect(append).rejects.toMatchObject({ type: 'wrong-expected-version' }));
    expect((await append).nextExpectedRevision).toBe(BigInt(last + count));
    this.appended(name, events);
    if (expectedRevision === exact(last)) this.lastAppend.set(name, { events, expectedRevision });
  }

  private async retry(name: Name) {
    const last = this.lastAppend.get(name);
    if (last === undefined) return;
    const before = last.expectedRevision === NO_STREAM ? -1n : last.expectedRevision;
    const result = await client.appendToStream(this.name(name), last.events, last);
    expect(result.nextExpectedRevision).toBe(before + BigInt(last.events.length));
  }

  private async race(name: Name, writers: number) {
    const expectedRevision = exact(this.state(name).ids.length - 1);
    const attempts = Array.from({ length: writers }, () => newEvents(2));
    const outcomes = await Promise.allSettled(
      attempts.map((events) => client.appendToStream(this.name(name), events, { expectedRevision })),
    );
    const winners = attempts.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    this.appended(name, winners[0]!);
    this.lastAppend.set(name, { events: winners[0]!, expectedRevision });
  }

  private async tombstone(name: Name) {
    const state = this.state(name);
    await client.tombstoneStream(this.name(name));
    for (const id of state.ids) this.log.splice(this.log.indexOf(id), 1);
    this.model.set(name, { ids: [], tombstoned: true });
  }

  private async tryTombstoned(name: Name) {
    const append = client.appendToStream(this.name(name), newEvents(1));
    await expect(append).rejects.toMatchObject({ type: 'stream-deleted' });
  }

  private appended(name: Name, events: EventData[]) {
    for (const { id } of events) {
      this.state(name).ids.push(id);
      this.log.push(id);
    }
  }

  async compare(): Promise<void> {
    for (const [name, { ids, tombstoned }] of this.model) {
      if (ids.length === 0) {
        const type = tombstoned ? 'stream-deleted' : 'stream-not-found';
        await expect(this.ids(name, {})).rejects.toMatchObject({ type });
        continue;
      }
      expect(await this.ids(name, {})).toEqual(ids);
      expect(await this.ids(name, { direction: BACKWARDS, fromRevision: END })).toEqual([...ids].reverse());
    }
    const names = new Set(STREAMS.map((name) => this.name(name)));
    const all = await collect(client.readAll());
    const written = all.filter(({ event }) => names.has(event!.streamId) && event!.type === 'Stepped');
    expect(written.map(({ event }) => event!.id)).toEqual(this.log);
  }

  private async ids(name: Name, options: object): Promise<string[]> {
    return (await collect(client.readStream(this.name(name), options))).map(({ event }) => event!.id);
  }
}

function exact(revision: number): bigint | typeof NO_STREAM {
  return revision < 0 ? NO_STREAM : BigInt(revision);
}

function newEvents(count: number): EventData[] {
  return Array.from({ length: count }, () => jsonEvent({ type: 'Stepped', data: {} }));
}

it('the store and the model agree after any sequence of operations', async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const run = new Run();
      for (const next of taken) await run.take(next);
      await run.compare();
    }),
    { numRuns: caseCount(40) },
  );
}, 120_000);
