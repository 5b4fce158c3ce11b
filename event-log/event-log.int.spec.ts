import { randomUUID } from 'node:crypto';
import type { Recorded } from '../contracts/events/recorded.js';
import { STREAM_PREFIXES } from '../contracts/streams.js';
import { startTestEventStore, type TestEventStore } from '../embedded/event-store/testing/test-event-store.js';
import { EventLog, type FollowOptions, type Subscription } from './event-log.js';
import { type NewEvent, OtherHistory } from './event-log.types.js';

let store: TestEventStore;
let log: EventLog;
beforeAll(async () => {
  store = await startTestEventStore();
  log = new EventLog(store.connectionString);
});
afterAll(async () => {
  await log.close();
  await store.close();
});

const newEvent = (): NewEvent => ({
  id: randomUUID(),
  event: { type: 'AdminLoggedIn', data: { gamerId: 'admin' } },
  metadata: { commandId: 'c', actor: { id: 'system', role: 'system' }, at: 1, schema: 1 },
});

async function collect(events: AsyncIterable<Recorded>): Promise<Recorded[]> {
  const collected: Recorded[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

it('reads a tombstoned stream as empty, however often that is repeated, and the whole log without the tombstone', async () => {
  const stream = `gamer-${randomUUID()}`;
  const { position } = await log.append(stream, [newEvent()], -1);
  await log.tombstoneStream(stream);
  await log.tombstoneStream(stream);
  expect(await collect(log.readStream(stream))).toEqual([]);
  expect(await log.headRevision(stream)).toBe(-1);
  // The embedded server removes the events at once, a real one when it scavenges.
  const events = await collect(log.readAll([stream]));
  expect(events.filter((event) => event.position !== position)).toEqual([]);
});

describe('following a log', () => {
  /** Follows until the first event, failure or 'caught up', and returns it. */
  async function firstOutcome(options: Partial<FollowOptions>): Promise<Recorded | Error | 'caught up'> {
    let subscription: Subscription | undefined;
    const outcome = await new Promise<Recorded | Error | 'caught up'>((resolve) => {
      const onCaughtUp = () => resolve('caught up');
      const calls = { onEvent: resolve, onFailure: resolve, onLost: resolve, onCaughtUp };
      subscription = log.follow({ after: null, ...calls, ...options });
    });
    await subscription?.stop();
    return outcome;
  }

  it.each<[string, (position: bigint) => Partial<FollowOptions>]>([
    ['the log ends before the position, as after a restore', (position) => ({ after: String(position + 100_000n) })],
    ['another event is at the position', (position) => ({ after: String(position), afterId: randomUUID() })],
    ['the position lies within an event', (position) => ({ after: String(position + 1n) })],
  ])('fails when %s', async (_case, optionsAfter) => {
    const { position } = await log.append(`post-${randomUUID()}`, [newEvent()], -1);
    expect(await firstOutcome(optionsAfter(BigInt(position)))).toBeInstanceOf(OtherHistory);
  });
});

it('keeps two games apart', async () => {
  const [one, other] = ['one_', 'other_'].map((streamPrefix) => new EventLog(store.connectionString, { streamPrefix }));
  const [inOne, inOther] = [newEvent(), newEvent()];
  await one?.append('post-1', [inOne], -1);
  await other?.append('post-1', [inOther], -1);
  for (const [game, event] of [
    [one, inOne],
    [other, inOther],
  ] as [EventLog, NewEvent][]) {
    expect((await collect(game.readAll(STREAM_PREFIXES))).map(({ id }) => id)).toEqual([event.id]);
    await game.close();
  }
});
