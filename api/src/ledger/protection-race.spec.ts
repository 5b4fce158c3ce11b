/* Two nodes over one log: however their commands interleave, nothing that a gamer forbade themselves comes into the log. */
import fc from 'fast-check';
import { NO_LIMITS } from '../../../contracts/limits.js';
import { caseCount } from '../../../contracts/testing/case-count.js';
import type { LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import type { Line } from '../../test/faulty-log.js';
import { LedgerNode } from '../../test/ledger-node.js';
import { seededRandom } from '../../test/seeded-random.js';
import { StreamsInMemory } from '../../test/streams-in-memory.js';
import { VirtualTime } from '../../test/virtual-time.js';

const T0 = Date.UTC(2026, 0, 1, 12);
const opening: LedgerCommand[] = [
  { type: 'EnrolAdmin', gamerId: 'house' },
  { type: 'EnrolGamer', gamerId: 'alice', sponsorId: null },
  { type: 'EnrolGamer', gamerId: 'bob', sponsorId: 'alice' },
  { type: 'SetDepositorStatus', gamerId: 'alice', isDepositor: true },
  { type: 'AdjustBalance', gamerId: 'bob', purchaseCents: 100_000, winningsCents: 0, reason: 'opening' },
  { type: 'ForceStartLive' },
];

/** A line whose latency is random, and whose appends sometimes get no answer. */
function randomLine(seed: number): Line {
  const next = seededRandom(seed);
  return {
    latencyMs: () => Math.floor(next() * 40),
    nextAppendFault: () => (next() < 0.9 ? 'arrives' : 'arrives unanswered'),
    readBreaksAfter: () => null,
  };
}

/** Runs commands on two nodes at once, each after a pause, and returns the events of the log. */
async function race(seed: number, sent: readonly { node: 0 | 1; pauseMs: number; command: LedgerCommand }[]) {
  const time = new VirtualTime(T0);
  const memory = new StreamsInMemory();
  const nodes = [1, 2].map((number) => new LedgerNode(memory, randomLine(seed + number), time));
  for (const node of nodes) await node.start();
  for (const command of opening) expect(await nodes[0]?.do(command)).toHaveProperty('done');
  const ends: Promise<unknown>[] = [];
  for (const { node, pauseMs, command } of sent) {
    await time.pass(pauseMs);
    ends.push((nodes[node] as LedgerNode).send(command, 'bob'));
  }
  await time.until(Promise.all(ends));
  await time.until(Promise.all(nodes.map(({ ledger }) => ledger.stop())));
  return memory.ledger.slice(opening.length);
}

const command = fc.oneof(
  { weight: 8, arbitrary: fc.constant<LedgerCommand>({ type: 'BuyTokens', buyerId: 'bob', quantity: 1 }) },
  {
    weight: 1,
    arbitrary: fc.constant<LedgerCommand>({ type: 'ExcludeGamer', gamerId: 'bob', kind: 'time-out', days: 1 }),
  },
  {
    weight: 1,
    arbitrary: fc.constant<LedgerCommand>({ type: 'ExcludeGamer', gamerId: 'alice', kind: 'time-out', days: 1 }),
  },
);
const commands = fc.array(fc.record({ node: fc.constantFrom<0 | 1>(0, 1), pauseMs: fc.nat(20), command }), {
  minLength: 10,
  maxLength: 30,
  size: 'max',
});

it('neither sells to a gamer nor pays a gamer whom another node has just excluded', async () => {
  let boughtBefore = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(1e6), commands, async (seed, sent) => {
      const excluded = new Set<string>();
      for (const { event } of await race(seed, sent)) {
        if (event.type === 'GamerExcluded') excluded.add(event.data.gamerId);
        if (event.type !== 'TokenPurchased') continue;
        boughtBefore += excluded.size === 0 ? 1 : 0;
        expect(excluded).not.toContain('bob');
        expect(event.data.allocations.map(({ gamerId }) => gamerId)).toEqual(excluded.has('alice') ? [] : ['alice']);
      }
    }),
    { numRuns: caseCount(60) },
  );
  expect(boughtBefore).toBeGreaterThan(0);
});

const LIMITS = { ...NO_LIMITS, spending: { day: 150, week: null, month: null } };
const limited = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .integer({ min: 1, max: 3 })
      .map((quantity): LedgerCommand => ({ type: 'BuyTokens', buyerId: 'bob', quantity })),
  },
  { weight: 2, arbitrary: fc.constant<LedgerCommand>({ type: 'SetLimits', gamerId: 'bob', limits: LIMITS }) },
);

/** Ten tokens one by one after the limit, on both nodes: five fill it. */
const FILLED = [
  { node: 0, pauseMs: 20, command: { type: 'SetLimits', gamerId: 'bob', limits: LIMITS } },
  ...Array.from({ length: 10 }, (_, index) => ({
    ...{ node: (index % 2) as 0 | 1, pauseMs: 20 },
    command: { type: 'BuyTokens', buyerId: 'bob', quantity: 1 } satisfies LedgerCommand,
  })),
] satisfies { node: 0 | 1; pauseMs: number; command: LedgerCommand }[];

it('never sells more than a limit that another node has just set', async () => {
  let fullest = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(1e6),
      fc.array(fc.record({ node: fc.constantFrom<0 | 1>(0, 1), pauseMs: fc.nat(20), command: limited }), {
        ...{ minLength: 10, maxLength: 30, size: 'max' },
      }),
      async (seed, sent) => {
        let [isLimited, spent] = [false, 0];
        for (const { event } of await race(seed, sent)) {
          if (event.type === 'LimitsSet') isLimited = true;
          if (event.type === 'TokenPurchased' && isLimited) spent += event.data.costCents;
          expect(spent).toBeLessThanOrEqual(150);
        }
        fullest = Math.max(fullest, spent);
      },
    ),
    { numRuns: caseCount(60), examples: [[1, FILLED]] },
  );
  expect(fullest).toBe(150);
});

const profiled = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .integer({ min: 1, max: 3 })
      .map((quantity): LedgerCommand => ({ type: 'BuyTokens', buyerId: 'bob', quantity })),
  },
  { weight: 1, arbitrary: fc.constant<LedgerCommand>({ type: 'SetLimits', gamerId: 'bob', limits: LIMITS }) },
  {
    weight: 2,
    arbitrary: fc.record({ most: fc.constantFrom(90, 240), mustChooseLimits: fc.boolean() }).map(
      ({ most, mustChooseLimits }): LedgerCommand => ({
        ...{ type: 'SetProtectionProfile', profile: 'strict', mustChooseLimits },
        limits: { ...NO_LIMITS, loss: { day: null, week: most, month: null } },
      }),
    ),
  },
);

it('never sells beyond the profile that another node has just put into force, nor beyond the gamer’s limit', async () => {
  const seen = { refusedByProfile: 0, profiles: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.nat(1e6),
      fc.array(fc.record({ node: fc.constantFrom<0 | 1>(0, 1), pauseMs: fc.nat(20), command: profiled }), {
        ...{ minLength: 10, maxLength: 30, size: 'max' },
      }),
      async (seed, sent) => {
        let [spent, most, own, mustChoose] = [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, false];
        for (const { event } of await race(seed, sent)) {
          if (event.type === 'LimitsSet') own = 150;
          if (event.type === 'ProtectionProfileSet') {
            most = event.data.limits.loss.week ?? most;
            mustChoose = event.data.mustChooseLimits;
            seen.profiles += 1;
          }
          if (event.type !== 'TokenPurchased') continue;
          spent += event.data.costCents;
          // The tokens bought before count too.
          expect(spent).toBeLessThanOrEqual(Math.min(most, own));
          expect(mustChoose && own === Number.POSITIVE_INFINITY).toBe(false);
        }
        seen.refusedByProfile += spent > 0 && most < own ? 1 : 0;
      },
    ),
    { numRuns: caseCount(60) },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
