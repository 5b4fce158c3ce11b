import { type AllStreamSubscription, END, jsonEvent, START, streamNameFilter } from '@eventstore/db-client';
import { until } from '../../../contracts/testing/until.js';
import { events, freshStream, StoreUnderTest } from '../testing/store-under-test.js';

const store = new StoreUnderTest();
const open: AllStreamSubscription[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((subscription) => subscription.unsubscribe()));
});

/** The events that a subscription delivered so far. */
function watch(subscription: AllStreamSubscription) {
  open.push(subscription);
  const seen = {
    revisions: [] as number[],
    types: [] as string[],
    positions: [] as bigint[],
    caughtUp: 0,
    error: undefined as Error | undefined,
  };
  subscription.on('data', ({ event }) => {
    seen.revisions.push(Number(event!.revision));
    seen.types.push(event!.type);
    seen.positions.push(event!.position.commit);
  });
  subscription.on('caughtUp', () => seen.caughtUp++);
  subscription.on('error', (error: Error) => {
    seen.error = error;
  });
  return seen;
}

describe('a subscription to $all', () => {
  it('delivers the existing events, then caught up, then new events', async () => {
    const stream = freshStream();
    const { position } = await store.client.appendToStream(freshStream(), events(1));
    await store.client.appendToStream(stream, events(3));
    const seen = watch(store.client.subscribeToAll({ fromPosition: position! }));
    await until(() => seen.caughtUp === 1);
    expect(seen.revisions).toEqual([0, 1, 2]);
    await store.client.appendToStream(stream, events(2));
    await until(() => seen.revisions.length === 5);
    expect(seen.revisions).toEqual([0, 1, 2, 3, 4]);
  });

  it('delivers only new events from the end', async () => {
    const stream = freshStream();
    await store.client.appendToStream(stream, events(4));
    const seen = watch(store.client.subscribeToAll({ fromPosition: END }));
    await until(() => seen.caughtUp === 1);
    await store.client.appendToStream(stream, events(1));
    await until(() => seen.revisions.length === 1);
    expect(seen.revisions).toEqual([4]);
  });

  it('delivers every event once and in order, while others append', async () => {
    const stream = freshStream();
    await store.client.appendToStream(stream, events(10));
    const seen = watch(store.client.subscribeToAll({ fromPosition: START }));
    for (let round = 0; round < 20; round++) {
      await Promise.all([1, 2, 3].map((count) => store.client.appendToStream(freshStream(), events(count))));
    }
    const { position } = await store.client.appendToStream(stream, events(1));
    await until(() => seen.positions.includes(position!.commit));
    expect(seen.positions.length).toBeGreaterThanOrEqual(131);
    for (const [index, at] of seen.positions.entries()) {
      if (index > 0) expect(at).toBeGreaterThan(seen.positions[index - 1]!);
    }
  });

  it('can resume from any event, also from one in the middle of an append', async () => {
    const stream = freshStream();
    await store.client.appendToStream(stream, events(5));
    const all = watch(store.client.subscribeToAll({ fromPosition: START }));
    await until(() => all.caughtUp === 1);
    const middle = all.positions.at(-3)!;
    const seen = watch(store.client.subscribeToAll({ fromPosition: { commit: middle, prepare: middle } }));
    await until(() => seen.caughtUp === 1);
    expect(seen.positions).toEqual(all.positions.slice(-2));
  });
});

describe('a filtered subscription', () => {
  it('delivers only the events of streams with one of the prefixes', async () => {
    const filter = streamNameFilter({ prefixes: ['never-', 'picked-'] });
    const { position } = await store.client.appendToStream(freshStream('passed'), events(3, 'Left'));
    await store.client.appendToStream(freshStream('picked'), events(2, 'Picked'));
    await store.client.appendToStream(freshStream('passed'), events(3, 'Left'));
    const seen = watch(store.client.subscribeToAll({ fromPosition: position!, filter }));
    await until(() => seen.caughtUp === 1);
    expect(seen.types).toEqual(['Picked', 'Picked']);
    await store.client.appendToStream(freshStream('passed'), events(3, 'Left'));
    await store.client.appendToStream(freshStream('picked'), events(1, 'Picked'));
    await until(() => seen.types.length === 3);
    expect(seen.types).toEqual(['Picked', 'Picked', 'Picked']);
  });

  it('is refused from within an event, and goes live without events from beyond the end', async () => {
    const { position } = await store.client.appendToStream(freshStream(), events(2));
    const { commit } = position!;
    const at = (place: bigint) => ({ fromPosition: { commit: place, prepare: place } });
    const inside = watch(store.client.subscribeToAll(at(commit - 1n)));
    await until(() => inside.error !== undefined);
    expect(inside.error).toMatchObject({ code: 3 });
    const beyond = watch(store.client.subscribeToAll(at(commit + 1_000_000n)));
    await until(() => beyond.caughtUp === 1);
    await store.client.appendToStream(freshStream(), events(1));
    expect([beyond.revisions, beyond.error]).toEqual([[], undefined]);
  });
});

describe('a reader slower than the log', () => {
  it('is not dropped: it gets every event in order when it reads again', async () => {
    const stream = freshStream('slow');
    const subscription = store.client.subscribeToAll({
      fromPosition: END,
      filter: streamNameFilter({ prefixes: [stream] }),
    });
    const seen = watch(subscription);
    await until(() => seen.caughtUp === 1);
    subscription.pause();
    const large = () =>
      Array.from({ length: 40 }, () => jsonEvent({ type: 'Large', data: { text: 'x'.repeat(20_000) } }));
    for (let round = 0; round < 10; round++) await store.client.appendToStream(stream, large());
    subscription.resume();
    await until(() => seen.revisions.length === 400);
    expect(seen.revisions).toEqual(Array.from({ length: 400 }, (_, at) => at));
  });
});
