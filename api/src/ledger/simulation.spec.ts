/*
 * Two api nodes on one log, seeded: lost and late appends, reads that break off, lines that are away for seconds, a crash,
 * double clicks and senders who ask again; in time that passes only here. 200 seeds unless said otherwise:
 *   SIMULATIONS=10000 npx jest --selectProjects=pure --testPathPatterns ledger/simulation
 * A failure names its seed; SEED=… runs that one alone.
 */
import assert from 'node:assert/strict';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import { postings } from '../../../domain/postings.js';
import { LedgerBook } from './ledger-book.js';
import { type Sent, Simulation } from './testing/simulation.js';

const SIMULATIONS = Number(process.env.SIMULATIONS ?? 200);
const SEEDS =
  process.env.SEED === undefined ? Array.from({ length: SIMULATIONS }, (_, seed) => seed) : [Number(process.env.SEED)];

/** Every node read the whole log, once and in order, and is where a replay of it is. */
function checkNodes({ memory, nodes, retired }: Simulation): LedgerBook {
  const replayed = new LedgerBook();
  for (const recorded of memory.events) replayed.apply(recorded);
  const ids = memory.events.map(({ id }) => id);
  for (const { book, told, broken } of nodes) {
    assert.equal(broken, null);
    assert.deepEqual(
      told.map(({ recorded }) => recorded.id),
      ids,
    );
    assert.deepEqual(book.state, replayed.state);
    assert.equal(book.chain, replayed.chain);
  }
  for (const { told, broken } of retired) {
    assert.equal(broken, null);
    assert.deepEqual(
      told.map(({ recorded }) => recorded.id),
      ids.slice(0, told.length),
    );
  }
  return replayed;
}

/** What was acknowledged is in the log once, as it was acknowledged; what was only ever refused is not. */
function checkAnswers(sent: readonly Sent[], events: readonly RecordedLedgerEvent[]): void {
  const effects = new Map<string, RecordedLedgerEvent[]>();
  for (const recorded of events) {
    const { commandId } = recorded.metadata;
    const before = effects.get(commandId)?.at(-1);
    assert.ok(!before || before.revision === recorded.revision - 1, `${commandId} took effect twice`);
    effects.set(commandId, [...(effects.get(commandId) ?? []), recorded]);
  }
  for (const { command, commandId, attempts } of sent) {
    const effect = effects.get(commandId) ?? [];
    const types = effect.map(({ event }) => event.type);
    assert.equal(new Set(types).size, types.length, `${commandId} took effect twice`);
    for (const { ended } of attempts) {
      if (ended === null || !('done' in ended)) continue;
      if (ended.done.events.length === 0) assert.equal(command.type, 'AdvanceClock');
      else assert.deepEqual(idsOf(ended.done.events), idsOf(effect), `${commandId} was acknowledged otherwise`);
    }
    const isOnlyRefused = attempts.every(({ ended }) => ended !== null && 'refused' in ended);
    if (isOnlyRefused) assert.deepEqual(types, [], `${commandId} was refused and took effect`);
    assert.ok(!attempts.some(({ ended }) => ended !== null && 'failed' in ended), `${commandId} failed`);
  }
}

const idsOf = (events: readonly RecordedLedgerEvent[]): string[] => events.map(({ id }) => id);

function checkMoney({ state }: LedgerBook, events: readonly RecordedLedgerEvent[]): void {
  for (const { event } of events) assert.equal(sumOf(postings(event)), 0);
  let all = 0;
  for (const [account, cents] of state.balances) {
    all += cents;
    assert.ok(cents >= 0 || account === 'house:adjustments', `${account} is at ${cents}`);
  }
  assert.equal(all, 0);
  let last: string | null = null;
  for (const { event } of events) {
    if (event.type === 'GameStarted') last = null;
    if (event.type === 'TokenPurchased') last = event.data.purchaseId;
    if (event.type === 'RoundEnded') assert.equal(event.data.winner?.purchaseId ?? null, last);
  }
}

const sumOf = (parts: readonly { cents: number }[]): number => parts.reduce((sum, { cents }) => sum + cents, 0);

it(`keeps every promise over ${SEEDS.length} seeds`, async () => {
  const seen = { done: 0, refused: 0, unavailable: 0, crashed: 0, won: 0, again: 0 };
  for (const seed of SEEDS) {
    const simulation = new Simulation(seed);
    try {
      await simulation.run();
      const { events } = simulation.memory;
      checkMoney(checkNodes(simulation), events);
      checkAnswers(simulation.sent, events);
      seen.won += events.filter(({ event }) => event.type === 'RoundEnded' && event.data.winner !== null).length;
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
    for (const { attempts } of simulation.sent) {
      if (attempts.length > 1) seen.again += 1;
      for (const { ended } of attempts) {
        if (ended === null) seen.crashed += 1;
        else if ('done' in ended) seen.done += 1;
        else if ('refused' in ended) seen.refused += 1;
        else seen.unavailable += 1;
      }
    }
  }
  // Without these nothing was proved.
  if (SEEDS.length >= 200) for (const count of Object.values(seen)) expect(count).toBeGreaterThan(SEEDS.length / 10);
  if (process.env.SIMULATIONS) process.stdout.write(`${JSON.stringify(seen)}\n`);
}, 3_600_000);
