/* Two nodes over one log: however their commands interleave, nothing forbidden comes into the log. */
import fc from 'fast-check';
import { NO_LIMITS } from '../../../contracts/limits.js';
import { caseCount } from '../../../contracts/testing/case-count.js';
import type { LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import type { Line } from '../../test/faulty-log.js';
import { LedgerNode } from '../../test/ledger-node.js';
import { seededRandom } from '../../test/seeded-random.js';
import { StreamsInMemory } from '../../test/streams-in-memory.js';
import { VirtualTime } from '../../test/virtual-time.js';

const opening: LedgerCommand[] = [
  { type: 'EnrolAdmin', gamerId: 'house' },
  { type: 'EnrolGamer', gamerId: 'alice', sponsorId: null },
  { type: 'EnrolGamer', gamerId: 'bob', sponsorId: 'alice' },
  { type: 'SetDepositorStatus', gamerId: 'alice', isDepositor: true },
  { type: 'AdjustBalance', gamerId: 'bob', purchaseCents: 100_000, winningsCents: 0, reason: 'opening' },
  { type: 'ForceStartLive' },
];

function randomLine(seed: number): Line {
  const next = seededRandom(seed);
  return {
    latencyMs: () => Math.floor(next() * 40),
    nextAppendFault: () => (next() < 0.9 ? 'arrives' : 'arrives unanswered'),
    readBreaksAfter: () => null,
  };
}

async function race(seed: number, sent: readonly { node: 0 | 1; pauseMs: number; command: LedgerCommand }[]) {
  const time = new VirtualTime(Date.UTC(2026, 0, 1, 12));
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

const buy = (quantity: number): LedgerCommand => ({ type: 'BuyTokens', buyerId: 'bob', quantity });
const exclude = (gamerId: string): LedgerCommand => ({ type: 'ExcludeGamer', gamerId, kind: 'time-out', days: 1 });
const LIMIT_CENTS = 150;
const limits = { ...NO_LIMITS, spending: { day: LIMIT_CENTS, week: null, month: null } };
const setLimits: LedgerCommand = { type: 'SetLimits', gamerId: 'bob', limits };
const setProfile = (week: number, mustChooseLimits: boolean): LedgerCommand => ({
  ...{ type: 'SetProtectionProfile', profile: 'strict', mustChooseLimits },
  limits: { ...NO_LIMITS, loss: { day: null, week, month: null } },
});

const command = fc.oneof(
  { weight: 16, arbitrary: fc.integer({ min: 1, max: 3 }).map(buy) },
  { weight: 1, arbitrary: fc.constantFrom('alice', 'bob').map(exclude) },
  { weight: 2, arbitrary: fc.constant(setLimits) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(90, 240), fc.boolean()).map((one) => setProfile(...one)) },
);
const sent = fc.array(fc.record({ node: fc.constantFrom<0 | 1>(0, 1), pauseMs: fc.nat(20), command }), {
  ...{ minLength: 10, maxLength: 30, size: 'max' },
});

const inTurn = (...commands: LedgerCommand[]) =>
  commands.map((command, index) => ({ node: (index % 2) as 0 | 1, pauseMs: 200, command }));

/** What chance may leave out: a limit that five of ten tokens fill, no payout, a profile that demands a choice. */
const certain = [
  inTurn(setLimits, ...Array.from({ length: 10 }, () => buy(1))),
  inTurn(exclude('alice'), buy(1)),
  inTurn(setLimits, setProfile(90, true), buy(1)),
];

it('sells and pays nothing that a gamer or the operator forbade on another node just before', async () => {
  const seen = { beforeExclusions: 0, withoutAlice: 0, limitFilled: 0, underProfile: 0, mustChoose: 0 };
  await fc.assert(
    fc.asyncProperty(fc.nat(1e6), sent, async (seed, commands) => {
      const excluded = new Set<string>();
      let [spent, most, own, mustChoose] = [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, false];
      for (const { event } of await race(seed, commands)) {
        if (event.type === 'GamerExcluded') excluded.add(event.data.gamerId);
        if (event.type === 'LimitsSet') own = LIMIT_CENTS;
        if (event.type === 'ProtectionProfileSet') {
          most = event.data.limits.loss.week ?? most;
          mustChoose = event.data.mustChooseLimits;
        }
        if (event.type !== 'TokenPurchased') continue;
        // Tokens bought before a limit count too.
        spent += event.data.costCents;
        expect(spent).toBeLessThanOrEqual(Math.min(most, own));
        expect(mustChoose && own === Number.POSITIVE_INFINITY).toBe(false);
        expect(excluded).not.toContain('bob');
        expect(event.data.allocations.map(({ gamerId }) => gamerId)).toEqual(excluded.has('alice') ? [] : ['alice']);
        seen.beforeExclusions += excluded.size === 0 ? 1 : 0;
        seen.withoutAlice += excluded.has('alice') ? 1 : 0;
        seen.limitFilled += spent === own ? 1 : 0;
        seen.underProfile += most < own ? 1 : 0;
        seen.mustChoose += mustChoose ? 1 : 0;
      }
    }),
    { numRuns: caseCount(180), examples: certain.map((commands) => [1, commands]) },
  );
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
});
