import { randomUUID } from 'node:crypto';
import type { Recorded } from '../contracts/events/recorded.js';
import { STREAM_PREFIXES } from '../contracts/streams.js';
import { startTestEventStore, type TestEventStore } from '../embedded/event-store/testing/test-event-store.js';
import { EventLog, type Following, type FollowOptions } from './event-log.js';
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

describe('tombstoning a stream', () => {
  it('makes it read as empty, however often it is repeated', async () => {
    const stream = `gamer-${randomUUID()}`;
    await log.append(stream, [newEvent(), newEvent()], -1);
    await log.tombstoneStream(stream);
    await log.tombstoneStream(stream);
    expect(await collect(log.readStream(stream))).toEqual([]);
    expect(await log.headRevision(stream)).toBe(-1);
  });

  it('gives readers of the whole log no event for the tombstone', async () => {
    const stream = `gamer-${randomUUID()}`;
    const { position } = await log.append(stream, [newEvent()], -1);
    await log.tombstoneStream(stream);
    // The embedded server removes the events at once, a real one when it scavenges.
    const events = await collect(log.readAll([stream]));
    expect(events.filter((event) => event.position !== position)).toEqual([]);
  });
});

describe('following a log', () => {
  /** Follows until the first event, failure or 'caught up', and returns it. */
  async function firstOutcome(
    options: Partial<FollowOptions>,
    followed = log,
  ): Promise<Recorded | Error | 'caught up'> {
    let following: Following | undefined;
    const outcome = await new Promise<Recorded | Error | 'caught up'>((resolve) => {
      following = followed.follow({
        after: null,
        onEvent: resolve,
        onFailure: resolve,
        onLost: resolve,
        onCaughtUp: () => resolve('caught up'),
        ...options,
      });
    });
    await following?.stop();
    return outcome;
  }

  it('starts after the last handled event', async () => {
    const stream = `post-${randomUUID()}`;
    const [first, second] = [newEvent(), newEvent()];
    const { position } = await log.append(stream, [first], -1);
    await log.append(stream, [second], 0);
    const delivered = await firstOutcome({ after: position, afterId: first.id, prefixes: [stream] });
    expect(delivered).toMatchObject({ id: second.id });
  });

  it('fails when the log ends before the position, as after the restore of an older backup', async () => {
    const { position } = await log.append(`post-${randomUUID()}`, [newEvent()], -1);
    expect(await firstOutcome({ after: String(BigInt(position) + 100_000n) })).toBeInstanceOf(OtherHistory);
  });

  it('fails when another event is at the position', async () => {
    const { position } = await log.append(`post-${randomUUID()}`, [newEvent()], -1);
    expect(await firstOutcome({ after: position, afterId: randomUUID() })).toBeInstanceOf(OtherHistory);
  });

  it('fails when the position lies within an event', async () => {
    const { position } = await log.append(`post-${randomUUID()}`, [newEvent()], -1);
    expect(await firstOutcome({ after: String(BigInt(position) + 1n) })).toBeInstanceOf(OtherHistory);
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
