/*
 * Generated sequences of commands, against a model that was written from the decisions (testing/model.ts).
 * 500 sequences unless said otherwise:  SEQUENCES=20000 npx jest --selectProjects=pure --testPathPatterns generated-commands
 * A failure prints its seed and path; SEED=… runs that seed again.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LedgerEvent, RoundEnded } from '../contracts/events/ledger-events.js';
import { decide } from './decide.js';
import { evolve, type LedgerEntry } from './evolve.js';
import { emptyLedger, type LedgerState } from './ledger-state.js';
import { postings } from './postings.js';
import { copyOf } from './testing/copy.js';
import { T0 } from './testing/events.js';
import { batchesOfSteps, type Step } from './testing/generated-steps.js';
import { Model, type ModelCommand } from './testing/model.js';
import { directly, UndoJournal } from './undo-journal.js';

const SEQUENCES = Number(process.env.SEQUENCES ?? 500);
const SEED = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };
const actor = { id: 'system', role: 'system' } as const;

/** A ledger and the model, side by side. */
class Trial {
  readonly model = new Model();
  readonly state: LedgerState = emptyLedger();
  readonly history: LedgerEntry[] = [];
  private at = T0;
  /** What the state was when it was last looked at. */
  private known = copyOf(this.state);
  readonly commands: { at: number; command: ModelCommand }[] = [];

  /** Decides and folds the steps one after another; then takes them all back, and lets them happen. */
  run(batch: readonly Step[]): void {
    const before = this.known;
    const journal = new UndoJournal();
    const from = this.history.length;
    for (const step of batch) {
      this.at = step.timeAfter(this.at, this.model);
      this.submit(step.commandFor(this.model, this.at), journal);
    }
    this.known = copyOf(this.state);
    journal.undo();
    assert.deepEqual(this.state, before);
    for (const entry of this.history.slice(from)) evolve(this.state, entry, directly);
    assert.deepEqual(this.state, this.known);
    checkAgreement(this.state, this.model);
    checkMoney(this.state, this.history.slice(from));
  }

  private submit(command: ModelCommand, journal: UndoJournal): void {
    this.commands.push({ at: this.at, command });
    const decision = decide(this.state, command, { at: this.at, actor, freshId: `p${this.commands.length}` });
    const reasons = this.model.reasonsAgainst(command, this.at);
    if (decision.refusal) {
      assert.ok(reasons.includes(decision.refusal.code), `refused: ${decision.refusal.code}, model: ${reasons}`);
      return;
    }
    assert.deepEqual(reasons, [], 'the model refuses what was accepted');
    const metadata = { at: this.at, actor, commandId: `c${this.commands.length}`, commandHash: '' };
    for (const event of decision.events) {
      const entry = { revision: this.history.length, event, metadata };
      evolve(this.state, entry, journal);
      this.history.push(entry);
    }
    this.model.carryOut(command, this.at);
  }
}

function checkAgreement({ game, balances, gamers }: LedgerState, model: Model): void {
  const cents = (account: string): number => balances.get(account as 'jackpot') ?? 0;
  const ledger = {
    phase: game.phase,
    round: game.lastRoundId,
    endsAt: game.endsAtEpochMs,
    lastBuyer: game.purchases[0]?.buyerId ?? null,
    lastWinner: game.lastResult?.winnerId ?? null,
    tokens: game.phase === 'idle' ? null : game.tokenCount,
    house: [cents('jackpot'), cents('house:profit'), cents('house:unclaimed'), cents('house:adjustments')],
    gamers: [...gamers.keys()].map((id) => [id, cents(`gamer:${id}:purchase`), cents(`gamer:${id}:winnings`)]),
    places: [...gamers].map(([id, place]) => [id, place.sponsorId, place.parentId, ...place.children]),
  };
  assert.deepEqual(ledger, {
    phase: model.phase,
    round: model.round,
    endsAt: model.phase === 'idle' ? null : model.endsAt,
    lastBuyer: model.lastBuyer,
    lastWinner: model.lastWinner,
    tokens: model.phase === 'idle' ? null : model.tokensOfRound,
    house: [model.jackpot, model.profit, model.unclaimed, model.adjustments],
    gamers: [...model.gamers].map(([id, { purchase, winnings }]) => [id, purchase, winnings]),
    places: [...model.gamers].map(([id, { sponsor, parent, children }]) => [id, sponsor, parent, ...children]),
  });
}

function checkMoney(state: LedgerState, entries: readonly LedgerEntry[]): void {
  for (const { event } of entries) {
    assert.equal(sumOf(postings(event)), 0);
    if (event.type !== 'TokenPurchased') continue;
    const { quantity, jackpotShareCents, houseShareCents, allocations, unclaimedCents } = event.data;
    const paid = sumOf(allocations);
    assert.equal(jackpotShareCents + houseShareCents + paid + unclaimedCents, 30 * quantity);
    assert.deepEqual(
      [jackpotShareCents, houseShareCents, paid + unclaimedCents],
      [13 * quantity, 2 * quantity, 15 * quantity],
    );
  }
  let all = 0;
  for (const [account, cents] of state.balances) {
    all += cents;
    assert.ok(cents >= 0 || account === 'house:adjustments', `${account} is at ${cents}`);
  }
  assert.equal(all, 0);
}

const sumOf = (parts: readonly { cents: number }[]): number => parts.reduce((sum, { cents }) => sum + cents, 0);

/** One winner a round: who bought last in it, according to the history alone. */
function checkWinners(events: readonly LedgerEvent[]): void {
  const lastOf = new Map<number, RoundEnded['data']['winner']>();
  const ended = new Set<number>();
  for (const { type, data } of events) {
    if (type === 'TokenPurchased') {
      assert.ok(!ended.has(data.roundId), `round ${data.roundId} goes on after its end`);
      lastOf.set(data.roundId, { gamerId: data.buyerId, purchaseId: data.purchaseId });
    }
    if (type !== 'RoundEnded') continue;
    assert.ok(!ended.has(data.roundId), `round ${data.roundId} ended twice`);
    ended.add(data.roundId);
    assert.deepEqual(data.winner, lastOf.get(data.roundId) ?? null);
  }
}

it(`does what the model does, over ${SEQUENCES} sequences of commands`, () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(batchesOfSteps, (batches) => {
      const trial = new Trial();
      try {
        trial.run([{ timeAfter: () => T0, commandFor: () => ({ type: 'EnrolHouse', gamerId: 'house' }) }]);
        for (const batch of batches) trial.run(batch);
      } catch (error) {
        const story = trial.commands.map(({ at, command }) => `  ${at - T0} ms ${JSON.stringify(command)}`);
        throw new Error(`after these commands:\n${story.join('\n')}`, { cause: error });
      }
      const events = trial.history.map(({ event }) => event);
      checkWinners(events);
      const replayed = emptyLedger();
      for (const entry of trial.history) evolve(replayed, entry, directly);
      assert.deepEqual(replayed, trial.state);
      for (const { type } of events) seen.set(type, (seen.get(type) ?? 0) + 1);
    }),
    { numRuns: SEQUENCES, ...SEED },
  );
  // A campaign that never got as far as a won round would prove nothing.
  for (const type of [
    'TokenPurchased',
    'RoundEnded',
    'LiveResumed',
    'GameReset',
    'WinningsTransferred',
    'TimersChanged',
  ]) {
    expect(seen.get(type) ?? 0).toBeGreaterThan(SEQUENCES / 50);
  }
}, 3_600_000);
