import { replaceTimers } from '../../test/simulator/globals.js';
import { VirtualTime } from '../../test/virtual-time.js';
import { Unavailable } from '../platform/failures.js';
import { CommandQueue, type Pending } from './command-queue.js';

const NOT_ACCEPTED = 'the log did not accept the command in time';
const UNKNOWN = 'the outcome of the append is unknown';

describe('the queue of commands', () => {
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
    }) as unknown as Pending;
  const add = (...names: string[]) => {
    for (const name of names) queue.add(command(name));
  };
  const batch = () => queue.batch.map(({ commandId }) => commandId);
  const nextBatch = () => {
    queue.takeBatch(100);
    return batch();
  };

  describe('keeps the order of arrival', () => {
    it('in a batch, which has at most the given number of commands', () => {
      add('a', 'b', 'c');
      queue.takeBatch(2);
      expect(batch()).toEqual(['a', 'b']);
      expect(queue.isWaiting).toBe(true);
      expect(nextBatch()).toEqual(['c']);
      expect(queue.isWaiting).toBe(false);
    });

    it.each<[number | undefined, string[]]>([
      [undefined, []],
      [1, ['a']],
    ])('when a batch returns to the queue except its first %s', (keptCount, kept) => {
      add('a', 'b', 'c');
      nextBatch();
      add('d');
      queue.requeue(keptCount);
      expect(batch()).toEqual(kept);
      expect([...kept, ...nextBatch()]).toEqual(['a', 'b', 'c', 'd']);
    });

    it('when held commands are released, once, ahead of later commands', () => {
      for (const name of ['a', 'b']) queue.hold(command(name));
      add('c');
      queue.release();
      queue.release();
      expect(nextBatch()).toEqual(['a', 'b', 'c']);
    });
  });

  /** Three commands: one under way, one that is held and one that waits. */
  function oneOfEach(expiresInMs = 5_000): void {
    queue.add(command('under way', expiresInMs));
    nextBatch();
    queue.hold(command('held', expiresInMs));
    queue.add(command('waiting', expiresInMs));
  }

  it('counts the commands that wait, are held and are under way', () => {
    oneOfEach();
    expect(queue.size).toBe(3);
  });

  it('can reject all commands, or only those that wait', () => {
    oneOfEach();
    const [first, second] = [new Unavailable('first'), new Unavailable('second')];
    queue.rejectWaiting(first);
    expect(rejected.splice(0)).toEqual([['waiting', first]]);
    expect(queue.size).toBe(2);
    queue.add(command('next'));
    queue.rejectAll(second);
    expect(rejected).toEqual(['under way', 'next', 'held'].map((name) => [name, second]));
    queue.release();
    expect(queue.isWaiting).toBe(false);
  });

  describe('rejects expired commands', () => {
    it('after their limit, not at it; only a batch may still be in the log', () => {
      oneOfEach(100);
      add('later');
      time.skip(100);
      queue.rejectExpired();
      expect(rejected).toEqual([]);
      time.skip(1);
      queue.rejectExpired();
      expect(rejected).toEqual([
        ['under way', new Unavailable(UNKNOWN)],
        ['waiting', new Unavailable(NOT_ACCEPTED)],
        ['held', new Unavailable(NOT_ACCEPTED)],
      ]);
      expect(rejected.every(([, error]) => error instanceof Unavailable)).toBe(true);
      expect(batch()).toEqual(['under way']);
      expect(queue.size).toBe(2);
      expect(nextBatch()).toEqual(['later']);
    });

    it('each quarter of a second by itself while any command has no answer, and again after all had one', async () => {
      for (const name of ['first', 'second']) {
        queue.add(command(name, 300));
        await time.pass(499);
        expect(rejected).toEqual([]);
        await time.pass(1);
        expect(rejected.splice(0)).toEqual([[name, new Unavailable(NOT_ACCEPTED)]]);
        await time.pass(1_000);
      }
    });

    it('with one timer for all commands, and none for an empty queue', async () => {
      const timers = jest.spyOn(time, 'after');
      add('a', 'b', 'c');
      await time.pass(900);
      add('d');
      expect(timers).toHaveBeenCalledTimes(4);
      queue.rejectWaiting(new Unavailable('stopped'));
      await time.pass(10_000);
      expect(timers).toHaveBeenCalledTimes(4);
    });
  });

  it('knows when all commands of the batch are expired', () => {
    queue.add(command('a', 100));
    queue.add(command('b', 200));
    nextBatch();
    time.skip(200);
    expect(queue.isBatchExpired).toBe(false);
    time.skip(1);
    expect(queue.isBatchExpired).toBe(true);
  });
});
