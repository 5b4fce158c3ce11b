/*
 * Two api nodes on one log, in virtual time, seeded: lost and late appends, failing reads, outages of seconds, a crash,
 * double clicks and retries.
 * A failure names its seed; SEED=… runs that one alone.
 */
import assert from 'node:assert/strict';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import { caseCount, givenSeed } from '../../../contracts/testing/case-count.js';
import { postings } from '../../../domain/postings.js';
import { LedgerReplica } from './ledger-replica.js';
import { type Sent, Simulation } from './testing/simulation.js';

const SEEDS = givenSeed === undefined ? [...Array(caseCount(200, 10_000)).keys()] : [givenSeed];

/** Every node announced the whole log, once and in order, and its state equals a replay of the log. */
function checkNodes({ memory, nodes, retired }: Simulation): LedgerReplica {
  const replayed = new LedgerReplica();
  for (const recorded of memory.ledger) replayed.apply(recorded);
  const ids = memory.ledger.map(({ id }) => id);
  for (const { replica, announced, broken } of nodes) {
    assert.equal(broken, null);
    assert.deepEqual(
      announced.map(({ recorded }) => recorded.id),
      ids,
    );
    assert.deepEqual(replica.state, replayed.state);
    assert.equal(replica.chain, replayed.chain);
  }
  for (const { announced, broken } of retired) {
    assert.equal(broken, null);
    assert.deepEqual(
      announced.map(({ recorded }) => recorded.id),
      ids.slice(0, announced.length),
    );
  }
  return replayed;
}

/** Every acknowledged command is in the log once, with the acknowledged events; a command only refused is not. */
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

function checkMoney({ state }: LedgerReplica, events: readonly RecordedLedgerEvent[]): void {
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

it(`loses, duplicates and misreports no command over ${SEEDS.length} seeds`, async () => {
  const seen = { done: 0, refused: 0, unavailable: 0, crashed: 0, won: 0, retried: 0 };
  for (const seed of SEEDS) {
    const simulation = new Simulation(seed);
    try {
      await simulation.run();
      const { ledger } = simulation.memory;
      checkMoney(checkNodes(simulation), ledger);
      checkAnswers(simulation.sent, ledger);
      seen.won += ledger.filter(({ event }) => event.type === 'RoundEnded' && event.data.winner !== null).length;
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
    for (const { attempts } of simulation.sent) {
      if (attempts.length > 1) seen.retried += 1;
      for (const { ended } of attempts) {
        if (ended === null) seen.crashed += 1;
        else if ('done' in ended) seen.done += 1;
        else if ('refused' in ended) seen.refused += 1;
        else seen.unavailable += 1;
      }
    }
  }
  // Each outcome must have occurred, or the simulation proved nothing about it.
  if (SEEDS.length >= 200) for (const count of Object.values(seen)) expect(count).toBeGreaterThan(SEEDS.length / 10);
}, 3_600_000);
