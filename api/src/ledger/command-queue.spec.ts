import { replaceTimers } from '../../test/simulator/globals.js';
import { VirtualTime } from '../../test/virtual-time.js';
import { Unavailable } from '../platform/failures.js';
import { CommandQueue, type QueuedSubmission } from './command-queue.js';

let time: VirtualTime;
let restoreTimers: () => void;
let queue: CommandQueue;
let rejected: [name: string, error: Error][];

beforeEach(() => {
  time = new VirtualTime(10_000);
  restoreTimers = replaceTimers(time);
  queue = new CommandQueue();
  rejected = [];
});

afterEach(() => restoreTimers());

const command = (name: string, expiresInMs = 5_000) =>
  ({
    commandId: name,
    expiresAtMonotonicMs: time.now() + expiresInMs,
    reject: (error: Error) => rejected.push([name, error]),
  }) as unknown as QueuedSubmission;
const add = (...names: string[]) => {
  for (const name of names) queue.add(command(name));
};
const batch = () => queue.batch.map(({ commandId }) => commandId);
const nextBatch = () => {
  queue.beginBatch(100);
  return batch();
};

it('takes at most the given number for a batch, in order of arrival, and released commands first and once', () => {
  add('a', 'b', 'c');
  queue.beginBatch(2);
  expect([batch(), queue.isWaiting]).toEqual([['a', 'b'], true]);
  for (const name of ['held', 'held too']) queue.defer(command(name));
  queue.requeueDeferred();
  queue.requeueDeferred();
  expect([nextBatch(), queue.isWaiting]).toEqual([['held', 'held too', 'c'], false]);
});

it.each<[number | undefined, string[]]>([
  [undefined, []],
  [1, ['a']],
])('keeps the order when a batch returns to the queue except its first %s', (keptCount, kept) => {
  add('a', 'b', 'c');
  nextBatch();
  add('d');
  queue.requeue(keptCount);
  expect(batch()).toEqual(kept);
  expect([...kept, ...nextBatch()]).toEqual(['a', 'b', 'c', 'd']);
});

/** Two commands under way, of which one expires later, one that is held and one that waits. */
function someOfEach(): void {
  queue.add(command('under way', 100));
  queue.add(command('under way, later', 101));
  nextBatch();
  queue.defer(command('held', 100));
  queue.add(command('waiting', 100));
}

it('can reject all commands, or only those that wait', () => {
  someOfEach();
  expect(queue.size).toBe(4);
  const [first, second] = [new Unavailable('first'), new Unavailable('second')];
  queue.rejectWaiting(first);
  expect(rejected.splice(0)).toEqual([['waiting', first]]);
  queue.add(command('next'));
  queue.rejectAll(second);
  expect(rejected).toEqual(['under way', 'under way, later', 'next', 'held'].map((name) => [name, second]));
  queue.requeueDeferred();
  expect(queue.isWaiting).toBe(false);
});

it('rejects commands after their limit, not at it; only those of a batch may still be in the log', () => {
  someOfEach();
  add('later');
  time.skip(100);
  queue.rejectExpired();
  expect(rejected).toEqual([]);
  time.skip(1);
  queue.rejectExpired();
  const notAccepted = new Unavailable('the log did not accept the command in time');
  expect(rejected).toEqual([
    ['under way', new Unavailable('the outcome of the append is unknown')],
    ['waiting', notAccepted],
    ['held', notAccepted],
  ]);
  expect(queue.isBatchExpired).toBe(false);
  time.skip(1);
  expect(queue.isBatchExpired).toBe(true);
  expect([batch(), nextBatch()]).toEqual([['under way', 'under way, later'], ['later']]);
  queue.requeueDeferred();
  expect(queue.isWaiting).toBe(false);
});

it('rejects expired commands by itself, each quarter of a second, also after it was empty', async () => {
  for (const name of ['first', 'second']) {
    queue.add(command(name, 300));
    await time.pass(499);
    expect(rejected).toEqual([]);
    await time.pass(1);
    expect(rejected.splice(0)).toEqual([[name, expect.any(Unavailable)]]);
    await time.pass(1_000);
  }
});
