import { randomUUID } from 'node:crypto';
import { BACKWARDS, END, type EventData, EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import fc from 'fast-check';
import { caseCount } from '../../contracts/testing/case-count.js';
import { createTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { collect } from './conformance/store-under-test.js';
import { type RunningEventStore, startEventStore } from './start-event-store.js';

/**
 * Runs random appends, deletes, truncations and restarts against the store and against a model of a few arrays. After
 * each run both must return the same events for every stream and for the whole log.
 */
interface ModelStream {
  ids: string[];
  firstVisible: number;
  deleted: boolean;
  hasMetadata: boolean;
}

const STREAMS = ['a', 'b', 'c'] as const;
type Name = (typeof STREAMS)[number];

type Step =
  | { kind: 'append'; stream: Name; count: number; expected: 'any' | 'last' | 'no-stream' | 'behind' }
  | { kind: 'retry'; stream: Name }
  | { kind: 'race'; stream: Name; writers: number }
  | { kind: 'delete'; stream: Name }
  | { kind: 'truncate'; stream: Name; before: number }
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
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), stream }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('truncate' as const),
      stream,
      before: fc.integer({ min: 1, max: 8 }),
    }),
  },
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
    const fresh = { ids: [], firstVisible: 0, deleted: false, hasMetadata: false };
    this.model.set(name, fresh);
    return fresh;
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'append':
        return this.append(step.stream, step.count, step.expected);
      case 'retry':
        return this.retry(step.stream);
      case 'race':
        return this.race(step.stream, step.writers);
      case 'delete':
        return this.remove(step.stream);
      case 'truncate':
        return this.truncate(step.stream, step.before);
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
    const succeeds =
      expectedRevision === 'any' ||
      expectedRevision === exact(last) ||
      (expectedRevision === NO_STREAM && state.deleted);
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

  private async remove(name: Name) {
    const state = this.state(name);
    const deleting = client.deleteStream(this.name(name));
    // A stream that never existed, not even by its metadata, cannot be deleted.
    if (state.ids.length === 0 && !state.hasMetadata)
      return void (await expect(deleting).rejects.toMatchObject({ type: 'wrong-expected-version' }));
    await deleting;
    state.deleted = true;
  }

  private async truncate(name: Name, before: number) {
    const state = this.state(name);
    await client.setStreamMetadata(this.name(name), { truncateBefore: before });
    state.hasMetadata = true;
    state.firstVisible = before;
    state.deleted = false;
  }

  private appended(name: Name, events: EventData[]) {
    const state = this.state(name);
    if (state.deleted) {
      state.firstVisible = state.ids.length;
      state.deleted = false;
    }
    for (const { id } of events) {
      state.ids.push(id);
      this.log.push(id);
    }
  }

  async compare(): Promise<void> {
    for (const [name, state] of this.model) {
      const visible = state.ids.slice(state.firstVisible);
      if (state.ids.length === 0 || state.deleted) {
        await expect(this.ids(name, {})).rejects.toMatchObject({ type: 'stream-not-found' });
        continue;
      }
      expect(await this.ids(name, {})).toEqual(visible);
      expect(await this.ids(name, { direction: BACKWARDS, fromRevision: END })).toEqual([...visible].reverse());
    }
    const names = new Set(STREAMS.map((name) => this.name(name)));
    const all = await collect(client.readAll());
    expect(all.filter(({ event }) => names.has(event!.streamId)).map(({ event }) => event!.id)).toEqual(this.log);
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
