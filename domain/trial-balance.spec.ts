import fc from 'fast-check';
import { TRIAL_BALANCE_ACCOUNTS } from '../contracts/http/audit.js';
import { caseCount } from '../contracts/testing/case-count.js';
import { decide } from './decide.js';
import { evolve } from './evolve.js';
import { emptyLedger, type LedgerState } from './ledger-state.js';
import { postings } from './postings.js';
import { bought, enrolledGamers, funded, gameStarted, liveStarted, T0, timersChanged } from './testing/events.js';
import { batchesOfSteps, opening, type Step } from './testing/generated-steps.js';
import { Model } from './testing/model.js';
import { PAYOUT_WAIT_MS } from './testing/model-game.js';
import { addToTrialBalance, emptyTrialBalance, type TrialBalance } from './trial-balance.js';
import { directly } from './undo-journal.js';

const ADMIN = { id: 'admin', role: 'admin' } as const;

/** Runs the acceptable steps and checks the trial balance after every event. */
function follow(steps: readonly Step[], check: (trialBalance: TrialBalance, state: LedgerState) => void): void {
  const model = new Model();
  const state = emptyLedger();
  const trialBalance = emptyTrialBalance();
  let at = T0;
  let revision = -1;
  for (const [number, step] of steps.entries()) {
    at = step.timeAfter(at, model);
    const command = step.commandFor(model, at);
    const freshId = `p${number}`;
    const decision = decide(state, command, {
      at,
      receivedAtMs: at,
      actor: ADMIN,
      freshId,
      payoutWaitMs: PAYOUT_WAIT_MS,
    });
    if (decision.refusal) continue;
    for (const event of decision.events) {
      revision += 1;
      evolve(state, { revision, event, metadata: { at, actor: ADMIN, commandId: `c${number}` } }, directly);
      addToTrialBalance(trialBalance, event, postings(event));
      check(trialBalance, state);
    }
    model.carryOut(command, at, freshId, decision.events.length > 0);
  }
}

/** The ledger's balances, the gamers' summed up. */
function summedUp({ balances }: LedgerState): Record<string, number> {
  const sums: Record<string, number> = Object.fromEntries(TRIAL_BALANCE_ACCOUNTS.map((account) => [account, 0]));
  for (const [account, cents] of balances) {
    const parts = account.split(':');
    const name = parts[0] === 'gamer' ? `gamers:${parts.at(-1)}` : account;
    sums[name] = (sums[name] ?? 0) + cents;
  }
  return sums;
}

function roundOf({ game: { phase, roundId, endsAtEpochMs } }: LedgerState): TrialBalance['round'] {
  if (phase === 'idle') return null;
  return { roundId: roundId as number, phase, endsAtEpochMs: endsAtEpochMs as number };
}

it('agrees with the ledger and sums to zero after every event', () => {
  fc.assert(
    fc.property(batchesOfSteps, (batches) => {
      follow([...opening, ...batches.flat()], (trialBalance, state) => {
        expect(trialBalance).toEqual({ accounts: summedUp(state), round: roundOf(state) });
        expect(Object.values(trialBalance.accounts).reduce((sum, cents) => sum + cents, 0)).toBe(0);
      });
    }),
    { numRuns: caseCount(40) },
  );
});

it('lists every account, in order', () => {
  expect(Object.entries(emptyTrialBalance().accounts)).toEqual(TRIAL_BALANCE_ACCOUNTS.map((account) => [account, 0]));
  expect(emptyTrialBalance().round).toBeNull();
});

it('holds the round’s state', () => {
  const trialBalance = emptyTrialBalance();
  const after = (...events: Parameters<typeof addToTrialBalance>[1][]) => {
    for (const event of events) addToTrialBalance(trialBalance, event, postings(event));
    return trialBalance.round;
  };
  expect(after(...enrolledGamers(), funded('bob', 60))).toBeNull();
  expect(after(gameStarted(1, T0))).toEqual({ roundId: 1, phase: 'pregame', endsAtEpochMs: T0 });
  expect(after(liveStarted(1, T0 + 9))).toEqual({ roundId: 1, phase: 'live', endsAtEpochMs: T0 + 9 });
  const live = after(...bought('p1', 'bob', { jackpotCents: 13, balanceCents: 30, endsAtEpochMs: T0 + 39 }));
  expect(live).toEqual({ roundId: 1, phase: 'live', endsAtEpochMs: T0 + 39 });
  const end = { roundId: 1, winner: null, jackpotCents: 13, endedAtEpochMs: T0 + 39, nextRoundAtEpochMs: T0 + 50 };
  const ended = after({ type: 'RoundEnded', data: { ...end, purchaseCount: 1, merkleRoot: '' } }, timersChanged({}));
  expect(ended).toEqual({ roundId: 1, phase: 'downtime', endsAtEpochMs: T0 + 50 });
  expect(
    after({ type: 'GameReset', data: { roundId: null, carriedCents: 13, reason: '', purchaseCount: 1 } }),
  ).toBeNull();
});
