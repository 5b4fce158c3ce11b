import type { Recorded } from '../../../contracts/events/recorded.js';
import { LogUnavailable } from '../../../event-log/event-log.types.js';
import { replaceTimers } from '../../test/simulator/globals.js';
import { VirtualTime } from '../../test/virtual-time.js';
import { CatchUp } from './catch-up.js';
import { LedgerBroken, type LedgerReplica } from './ledger-replica.js';

let time: VirtualTime;
let restoreTimers: () => void;
/** The events in the log; a read breaks before the event `breaksAt`. */
let log: { length: number; chain: string; breaksAt: number };
let announced: number[][];
let duringRead: () => void;

beforeEach(() => {
  time = new VirtualTime(10_000);
  restoreTimers = replaceTimers(time);
  log = { length: 3, chain: 'chain', breaksAt: Number.POSITIVE_INFINITY };
  [announced, duringRead] = [[], () => {}];
});

afterEach(() => restoreTimers());

function catchUpFrom(revision: number): CatchUp {
  const replica = {
    revision,
    chain: 'chain',
    evolve(recorded: Recorded) {
      replica.revision = recorded.revision;
      return { recorded };
    },
  };
  async function* readStream(_stream: string, { fromRevision = 0 }) {
    duringRead();
    for (const revision of [...Array(log.length).keys()].slice(fromRevision)) {
      if (revision === log.breaksAt) throw new LogUnavailable('the read broke off');
      yield { revision, metadata: { chain: log.chain } } as unknown as Recorded;
    }
  }
  return new CatchUp(replica as unknown as LedgerReplica, { readStream }, time, (committed) =>
    announced.push(committed.map(({ recorded }) => recorded.revision)),
  );
}

it.each([
  ['next to another node, 50 ms after the response', false, 10_000, 20, 30],
  ['after the clock was set back', true, 10_000, -1, 0],
  ['alone, 499 ms later: at the next second', true, 9_600, 499, 901],
  ['alone, half a second later', true, 10_000, 500, 0],
  ['alone, half a second before a whole one', true, 10_001, 499, 500],
])('is due %s', (_case, isAlone, contactAtMs, passedMs, dueInMs) => {
  const catchUp = catchUpFrom(-1);
  catchUp.isAlone = isAlone;
  time.skip(contactAtMs - time.now());
  catchUp.recordContact();
  time.skip(passedMs);
  expect(catchUp.dueInMs).toBe(dueInMs);
});

it('announces the new events, at most 1,000 at once, and nothing when there are none', async () => {
  const catchUp = catchUpFrom(0);
  log.length = 2_101;
  await catchUp.read();
  expect(announced.map((events) => events.length)).toEqual([1_000, 1_000, 100]);
  await catchUp.read();
  expect(announced).toHaveLength(3);
});

it.each([
  ['no longer has the last event of the state', 3, 3, 'chain'],
  ['has another event in its place', 3, 4, 'other'],
  ['is empty', 0, 0, 'chain'],
])('breaks when the log %s', async (_case, revision, length, chain) => {
  Object.assign(log, { length, chain });
  const text = `the log no longer has ledger@${revision}, which this node has read`;
  await expect(catchUpFrom(revision).read()).rejects.toThrow(new LedgerBroken(text));
});

it('resolves a request with the first read that begins after it and succeeds', async () => {
  const catchUp = catchUpFrom(-1);
  const answered: string[] = [];
  const request = (name: string) => void catchUp.request().then(() => answered.push(name));
  request('before');
  log.breaksAt = 0;
  await expect(catchUp.read()).rejects.toThrow(LogUnavailable);
  expect([catchUp.isRequested, answered]).toEqual([true, []]);
  log.breaksAt = 3;
  duringRead = () => request('during');
  await catchUp.read();
  expect([catchUp.isRequested, answered]).toEqual([true, ['before']]);
  duringRead = () => {};
  await catchUp.read();
  expect([catchUp.isRequested, answered]).toEqual([false, ['before', 'during']]);
});
