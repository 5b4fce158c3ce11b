/* The whole of the ledger in virtual time, from one seed, which a failure names: `npm run campaigns -- simulation --seed N`. */
import { Logger } from '@nestjs/common';
import { caseCount, givenSeed } from '../../../contracts/testing/case-count.js';
import { words } from '../../../contracts/words.js';
import { checkByAuditor } from './checkers/auditor.js';
import { checkExactlyOnce } from './checkers/exactly-once.js';
import { checkLastSecond } from './checkers/last-second.js';
import { checkLiveness } from './checkers/liveness.js';
import { checkMoney } from './checkers/money.js';
import { checkOrder } from './checkers/order.js';
import { checkPayments } from './checkers/payments.js';
import { checkSockets } from './checkers/sockets.js';
import { Simulation } from './simulation.js';
import { FAULTS } from './world.js';

const SEEDS = givenSeed === undefined ? [...Array(caseCount(60, 10_000)).keys()] : [givenSeed];
const CHECKERS = {
  liveness: checkLiveness,
  money: checkMoney,
  'exactly once': checkExactlyOnce,
  'last second': checkLastSecond,
  order: checkOrder,
  payments: checkPayments,
  sockets: checkSockets,
  auditor: checkByAuditor,
};
const OUTCOMES = words('done unavailable round-being-decided limit-reached RoundEnded LiveResumed DepositApproved');
const SHOWN = { first: 15, last: 120 };
const REPEATED_SEEDS = 10;

beforeAll(() => Logger.overrideLogger(false));

async function run(seed: number): Promise<Simulation> {
  const simulation = new Simulation(seed);
  try {
    await simulation.run();
    for (const [name, check] of Object.entries(CHECKERS)) {
      try {
        check(simulation);
      } catch (error) {
        throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
      }
    }
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`seed ${seed}, ${message}\n${shortened(simulation.world.history)}`, { cause: error });
  }
  return simulation;
}

function shortened(history: readonly string[]): string {
  const { first, last } = SHOWN;
  if (history.length <= first + last) return history.join('\n');
  const left = history.length - first - last;
  return [...history.slice(0, first), `… ${left} more …`, ...history.slice(-last)].join('\n');
}

it(`keeps every promise over ${SEEDS.length} seeds, and repeats seeds to the byte`, async () => {
  const seen = new Map<string, number>();
  const count = (what: string, by = 1) => seen.set(what, (seen.get(what) ?? 0) + by);
  for (const [index, seed] of SEEDS.entries()) {
    const { world, clients } = await run(seed);
    if (index < REPEATED_SEEDS) expect((await run(seed)).world.hash).toBe(world.hash);
    for (const kind of FAULTS) count(kind, world.counts[kind] ?? 0);
    for (const { event } of world.memory.ledger) count(event.type);
    for (const { ended } of clients.sent.flatMap(({ attempts }) => attempts))
      if (ended === null) count('never answered');
      else count('code' in ended ? ended.code : (Object.keys(ended)[0] as string));
    if (givenSeed !== undefined) console.log(`${shortened(world.history)}\nhash ${world.hash}`);
  }
  // Each must have occurred, or the simulation proved nothing about it.
  if (SEEDS.length >= 200)
    for (const what of [...FAULTS, ...OUTCOMES]) expect([what, (seen.get(what) ?? 0) > 0]).toEqual([what, true]);
}, 7_200_000);
