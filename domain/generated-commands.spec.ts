/*
 * Generated sequences of commands, against a model that was written from the decisions (testing/model.ts).
 * 500 sequences unless said otherwise:  SEQUENCES=20000 npx jest --selectProjects=pure --testPathPatterns generated-commands
 * A failure prints its seed and path; SEED=… runs that seed again.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LedgerEvent, LedgerEventType, RoundEnded } from '../contracts/events/ledger-events.js';
import { decide } from './decide.js';
import { evolve, type LedgerEntry } from './evolve.js';
import { emptyLedger, type LedgerState } from './ledger-state.js';
import { postings } from './postings.js';
import { heldStill } from './testing/copy.js';
import { T0 } from './testing/events.js';
import { batchesOfSteps, opening, type Step } from './testing/generated-steps.js';
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
  private known = heldStill(this.state);
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
    this.known = heldStill(this.state);
    journal.undo();
    assert.deepEqual(this.state, before);
    for (const entry of this.history.slice(from)) evolve(this.state, entry, directly);
    assert.deepEqual(this.state, this.known);
    checkAgreement(this.state, this.model);
    checkMoney(this.state, this.history.slice(from));
  }

  private submit(command: ModelCommand, journal: UndoJournal): void {
    this.commands.push({ at: this.at, command });
    const freshId = `p${this.commands.length}`;
    const decision = decide(this.state, command, { at: this.at, actor, freshId });
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
    this.model.carryOut(command, this.at, freshId);
  }
}

function checkAgreement(state: LedgerState, model: Model): void {
  const { game, balances, gamers } = state;
  const ledger = {
    phase: game.phase,
    round: game.lastRoundId,
    endsAt: game.endsAtEpochMs,
    lastBuyer: game.purchases[0]?.buyerId ?? null,
    lastWinner: game.lastResult?.winnerId ?? null,
    tokens: game.phase === 'idle' ? null : game.tokenCount,
    accounts: Object.fromEntries([...balances].filter(([, cents]) => cents !== 0)),
    places: [...gamers].map(([id, place]) => [id, place.sponsorId, place.parentId, ...place.children]),
    depositors: [...gamers].map(([id, place]) => [id, place.depositorUntilEpochMs]),
    payments: [...state.payments],
    pending: [...state.deposits.keys()],
    open: [...state.withdrawals].map(([id, { gamerId, amountCents, status }]) => [id, gamerId, amountCents, status]),
    settled: new Map([...state.settled].map(([id, { of, status }]) => [id, `${of} ${status}`])),
  };
  const withdrawals = [...model.treasury.withdrawals].map(
    ([id, { gamer, cents, status }]) => [id, gamer, cents, status] as const,
  );
  assert.deepEqual(ledger, {
    phase: model.phase,
    round: model.round,
    endsAt: model.phase === 'idle' ? null : model.endsAt,
    lastBuyer: model.lastBuyer,
    lastWinner: model.lastWinner,
    tokens: model.phase === 'idle' ? null : model.tokensOfRound,
    accounts: model.accounts(),
    places: [...model.gamers].map(([id, { sponsor, parent, children }]) => [id, sponsor, parent, ...children]),
    depositors: [...model.gamers].map(([id, { depositorUntil }]) => [id, depositorUntil]),
    payments: [...model.treasury.payments.keys()],
    pending: [...model.treasury.deposits].filter(([, { status }]) => status === 'pending').map(([id]) => id),
    open: withdrawals.filter(([, , , status]) => status === 'pending' || status === 'processing'),
    settled: new Map([
      ...[...model.treasury.deposits]
        .filter(([, { status }]) => status !== 'pending')
        .map(([id, { status }]) => [id, `deposit ${status}`] as const),
      ...withdrawals
        .filter(([, , , status]) => status === 'completed' || status === 'returned')
        .map(([id, gamer, , status]) => [id, `${gamer === null ? 'profit' : 'winnings'} ${status}`] as const),
    ]),
  });
}

/** The outside world pays in, and adjustments are granted out of nothing. */
const MAY_OWE = ['house:adjustments', 'world:crypto'];

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
    assert.ok(cents >= 0 || MAY_OWE.includes(account), `${account} is at ${cents}`);
  }
  assert.equal(all, 0);
}

const sumOf = (parts: readonly { cents: number }[]): number => parts.reduce((sum, { cents }) => sum + cents, 0);

/** Each payment of the gateway made money once at most; each withdrawal was settled once at most. */
function checkOnce(events: readonly LedgerEvent[]): void {
  const settled = new Set<string>();
  const settle = (what: string): void => {
    assert.ok(!settled.has(what), `${what} was settled twice`);
    settled.add(what);
  };
  for (const { type, data } of events) {
    if (type === 'DepositApproved' || type === 'InvoiceCredited') settle(`payment ${data.paymentId}`);
    if (type === 'TokenPurchased' && data.paymentId !== undefined) settle(`payment ${data.paymentId}`);
    if (type === 'DepositRejected') settle(`payment ${data.paymentId}`);
    if (type === 'WithdrawalCompleted' || type === 'WithdrawalReturned') settle(`withdrawal ${data.withdrawalId}`);
    if (type === 'ProfitWithdrawalCompleted' || type === 'ProfitWithdrawalReturned') {
      settle(`withdrawal ${data.withdrawalId}`);
    }
  }
}

/** Three places below everyone, every gamer in the one that names them, and the way to the nearest free one known. */
function checkMatrix({ gamers, houseId }: LedgerState): void {
  const depths = new Map<string, number>();
  const nearest = (id: string): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    const children = gamers.get(id)?.children ?? [];
    const depth = children.some((child) => child === null)
      ? 0
      : 1 + Math.min(...children.map((child) => nearest(child as string)));
    depths.set(id, depth);
    return depth;
  };
  for (const [id, { children, parentId, slot, openDepth }] of gamers) {
    assert.equal(children.length, 3);
    assert.equal(openDepth, nearest(id), `the free slot nearest to ${id}`);
    if (id !== houseId) assert.equal(gamers.get(parentId as string)?.children[slot as number], id);
  }
}

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

/** Without plenty of each, nothing was proved. */
const EVENTS: readonly (LedgerEventType | 'TokenPurchased by invoice')[] = [
  'GamerEnrolled',
  'GameStarted',
  'LiveStarted',
  'TokenPurchased',
  'TokenPurchased by invoice',
  'TimeExtended',
  'RoundEnded',
  'LiveResumed',
  'GameReset',
  'TimersChanged',
  'DepositorStatusSet',
  'WinningsTransferred',
  'BalanceAdjusted',
  'DepositRecorded',
  'DepositApproved',
  'DepositRejected',
  'InvoiceCredited',
  'WithdrawalRequested',
  'WithdrawalProcessing',
  'WithdrawalCompleted',
  'WithdrawalReturned',
  'ProfitWithdrawalRequested',
  'ProfitWithdrawalCompleted',
  'ProfitWithdrawalReturned',
  'GamerRemoved',
];

it(`does what the model does, over ${SEQUENCES} sequences of commands`, () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(batchesOfSteps, (batches) => {
      const trial = new Trial();
      try {
        trial.run(opening);
        for (const batch of batches) trial.run(batch);
      } catch (error) {
        const story = trial.commands.map(({ at, command }) => `  ${at - T0} ms ${JSON.stringify(command)}`);
        throw new Error(`after these commands:\n${story.join('\n')}`, { cause: error });
      }
      const events = trial.history.map(({ event }) => event);
      checkWinners(events);
      checkOnce(events);
      checkMatrix(trial.state);
      const replayed = emptyLedger();
      for (const entry of trial.history) evolve(replayed, entry, directly);
      assert.deepEqual(replayed, trial.state);
      for (const { type, data } of events) {
        const kind = type === 'TokenPurchased' && data.source === 'invoice' ? 'TokenPurchased by invoice' : type;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }
    }),
    { numRuns: SEQUENCES, ...SEED },
  );
  if (process.env.SEQUENCES) process.stdout.write(`${JSON.stringify([...seen])}\n`);
  if (SEQUENCES >= 500) expect(EVENTS.filter((type) => (seen.get(type) ?? 0) <= SEQUENCES / 50)).toEqual([]);
}, 3_600_000);
