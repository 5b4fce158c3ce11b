/* The auditor is the oracle: each generated history must verify, with the auditor's state. SEED=… runs a failed seed again. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Auditor } from '../../audit/replay/auditor.js';
import type { Seat } from '../../audit/rules/entitlements.js';
import { audited } from '../../audit/testing/forgeries.js';
import { recorded } from '../../audit/testing/histories.js';
import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import { LEDGER_EVENT_TYPES, TRIAL_BALANCE_ACCOUNTS } from '../../contracts/http/audit.js';
import { caseCount, givenSeed } from '../../contracts/testing/case-count.js';
import { T0 } from '../testing/constants.js';
import { frozenCopy, restored } from '../testing/copy.js';
import { type GeneratedGame, generatedBatches, startedGame } from '../testing/generated-commands.js';
import { evolve } from './evolve.js';
import { copyState } from './ledger-snapshot.js';
import { postings } from './postings.js';
import { addToTrialBalance, emptyTrialBalance } from './trial-balance.js';
import { directChanges, UndoLog } from './undo-log.js';

const SEQUENCES = caseCount(150, 20_000);
const KINDS: readonly string[] = [...LEDGER_EVENT_TYPES, 'TokenPurchased by invoice'];

const kindOf = ({ type, data }: LedgerEvent): string =>
  type === 'TokenPurchased' && data.source === 'invoice' ? `${type} by invoice` : type;

/** The parts of the nodes' state that the auditor's rules compute too; of the game the parts besides the board. */
function auditedState(auditor: Auditor): { game: object } & Record<string, unknown> {
  const { ledgerAccounts, entitlements, deposits, exclusions, playLimits, rounds, withdrawals, losses, atMs } = auditor;
  const { matrix, staff, powers, adminId, terms } = entitlements;
  const { phase, timers, endsAtMs, lastRoundId, plan } = rounds;
  const open =
    phase === 'idle' ? { roundId: null, endsAtEpochMs: null } : { roundId: lastRoundId, endsAtEpochMs: endsAtMs };
  return {
    adminId,
    game: { phase, ...open, lastRoundId, jackpotCents: ledgerAccounts.of('jackpot'), timers, terms, plan },
    profile: playLimits.profile,
    losses,
    arePayoutsHeld: withdrawals.areHeld,
    atMs,
    balances: new Map(ledgerAccounts.nonZero()),
    gamers: new Map([...matrix.seats].map(([gamerId, seat]) => [gamerId, placeOf(seat, matrix.width)])),
    staff,
    powers,
    payments: deposits.payments,
    deposits: deposits.pending,
    withdrawals: withdrawals.open,
    exclusions: exclusions.newest,
    playLimits: playLimits.limited,
    playSums: new Map(
      [...playLimits.played].map(([gamerId, { periodStarts, ...sums }]) => [
        gamerId,
        { day: new Date(periodStarts.day).toISOString().slice(0, 10), ...sums },
      ]),
    ),
  };
}

function placeOf({ sponsorId, parent, slot, children, distance, depositorUntilMs }: Seat, width: number): object {
  return {
    sponsorId,
    parentId: parent?.gamerId ?? null,
    slot: parent === null ? null : slot,
    children: Array.from({ length: width }, (_, index) => children[index]?.gamerId ?? null),
    openDepth: distance,
    depositorUntilMs,
  };
}

/** Replays the history, and compares each event and the last state with the rules of the auditor. */
function audit({ history, state }: GeneratedGame): void {
  const auditor = audited(recorded(history));
  assert.deepEqual(auditor.findings, []);
  const { game, ...parts } = auditedState(auditor);
  assert.deepEqual({ ...state.game, ...game }, state.game);
  for (const [name, part] of Object.entries(parts))
    assert.deepEqual([name, comparable(state[name as keyof typeof state])], [name, part]);
}

/** A map without the empty accounts that the state keeps; else the part itself. */
const comparable = (part: unknown): unknown =>
  part instanceof Map ? new Map([...part].filter(([, value]) => value !== 0)) : part;

/** The trial balance of the events must be that of the state, and sum to zero. */
function checkTrialBalance({ entries, state }: GeneratedGame): void {
  const { accounts, round } = emptyTrialBalance();
  const trialBalance = { accounts, round };
  for (const { event } of entries) addToTrialBalance(trialBalance, event, postings(event));
  const sums: Record<string, number> = Object.fromEntries(TRIAL_BALANCE_ACCOUNTS.map((account) => [account, 0]));
  for (const [account, cents] of state.balances) {
    const name = account.startsWith('gamer:') ? `gamers:${account.split(':').at(-1)}` : account;
    sums[name] = (sums[name] ?? 0) + cents;
  }
  const { phase, roundId, endsAtEpochMs } = state.game;
  assert.deepEqual(trialBalance, {
    accounts: sums,
    round: phase === 'idle' ? null : { roundId, phase, endsAtEpochMs },
  });
  assert.equal(
    Object.values(sums).reduce((sum, cents) => sum + cents, 0),
    0,
  );
}

/** Decides the steps and evolves by their events, undoes them all, and evolves by the same events again. */
function runBatch(game: GeneratedGame, batch: readonly ((game: GeneratedGame, changes: UndoLog) => void)[]): void {
  const before = frozenCopy(game.state);
  const from = game.entries.length;
  const journal = new UndoLog();
  for (const step of batch) step(game, journal);
  const after = frozenCopy(game.state);
  journal.undo();
  assert.deepEqual(game.state, before);
  for (const entry of game.entries.slice(from)) evolve(game.state, entry, directChanges);
  assert.deepEqual(game.state, after);
}

it(`verifies the histories of ${SEQUENCES} sequences of commands, and their states`, () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(generatedBatches, (batches) => {
      const game = startedGame();
      try {
        for (const batch of batches) runBatch(game, batch);
        const parts = [...copyState(game.state).parts];
        assert.deepEqual(restored({ parts, end: () => {} }), game.state);
        audit(game);
        checkTrialBalance(game);
      } catch (error) {
        const sent = game.commands.map(({ atMs, by, command }) => `  ${atMs - T0} ms ${by} ${JSON.stringify(command)}`);
        throw new Error(`after these commands:\n${sent.join('\n')}`, { cause: error });
      }
      for (const { event } of game.entries) seen.set(kindOf(event), (seen.get(kindOf(event)) ?? 0) + 1);
    }),
    { numRuns: SEQUENCES, ...(givenSeed !== undefined && { seed: givenSeed }) },
  );
  if (SEQUENCES >= 500) expect(KINDS.filter((kind) => (seen.get(kind) ?? 0) <= SEQUENCES / 100)).toEqual([]);
}, 3_600_000);
