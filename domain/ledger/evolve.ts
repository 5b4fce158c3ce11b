import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import type { LedgerMetadata } from '../../contracts/events/metadata.js';
import type { DepositId, GamerId, WithdrawalId } from '../../contracts/ids.js';
import type { LedgerAccount, Posting } from '../../contracts/ledger-accounts.js';
import { COMMAND_MEMORY_MS, MAX_REMEMBERED_COMMANDS, MAX_REMEMBERED_SETTLEMENTS } from '../../contracts/limits.js';
import { evolveGame } from '../game.js';
import { enrol, placeOf, remove, widen } from '../matrix.js';
import { countPlay, evolveLimits } from '../protection-limits.js';
import { CopyOnWriteMap } from './copy-on-write-map.js';
import { balanceOf, commandKey, type LedgerState, type OpenWithdrawal, revisionOfCommand } from './ledger-state.js';
import { postings } from './postings.js';
import type { Changes } from './undo-log.js';

export interface LedgerEntry {
  revision: number;
  event: LedgerEvent;
  metadata: Pick<LedgerMetadata, 'at' | 'actor' | 'commandId'>;
}

/** Evolves `state` by one event. Throws when the event cannot follow this state: the log or the code is broken. */
export function evolve(state: LedgerState, entry: LedgerEntry, changes: Changes): void {
  const { event, metadata } = entry;
  if (metadata.at < state.atMs) throw new Error(`ledger@${entry.revision} is earlier than the event before it`);
  changes.setField(state, 'atMs', metadata.at);
  rememberCommand(state, entry, changes);
  for (const posting of postings(event)) post(state, posting, changes);
  const evolver = evolvers[event.type] as Evolver<LedgerEvent> | undefined;
  evolver?.(state, event.data, changes, metadata.at, entry.revision);
  const game = evolveGame(state.game, event, metadata.at);
  if (game !== state.game) changes.setField(state, 'game', game);
  if (game.jackpotCents !== balanceOf(state, 'jackpot')) {
    throw new Error(`ledger@${entry.revision}: the game's jackpot differs from the account's`);
  }
}

/** Forgets the oldest commands and settlements beyond their limits. Called only after a commit, because it cannot be undone. */
export function forgetOld(state: LedgerState): void {
  for (const id of state.settlements.keys()) {
    if (state.settlements.size <= MAX_REMEMBERED_SETTLEMENTS) break;
    state.settlements.delete(id);
  }
  const areOld = state.atMs - state.commandsSinceMs > COMMAND_MEMORY_MS;
  if (!areOld && state.commands.size < MAX_REMEMBERED_COMMANDS) return;
  state.olderCommands = state.commands;
  state.commands = new CopyOnWriteMap();
  state.commandsSinceMs = state.atMs;
}

function rememberCommand(state: LedgerState, { revision, metadata }: LedgerEntry, changes: Changes): void {
  const key = commandKey(metadata.actor.id, metadata.commandId);
  if (revisionOfCommand(state, key) === undefined) changes.setEntry(state.commands, key, revision);
}

function post(state: LedgerState, { account, cents }: Posting, changes: Changes): void {
  const after = balanceOf(state, account) + cents;
  if (after < 0 && !mayBeNegative(account)) throw new Error(`${account} would be at ${after} cents`);
  changes.setEntry(state.balances, account, after);
}

const mayBeNegative = (account: LedgerAccount): boolean =>
  account === 'world:crypto' || account === 'house:adjustments';

type Evolver<E extends LedgerEvent> = (
  state: LedgerState,
  data: E['data'],
  changes: Changes,
  atMs: number,
  revision: number,
) => void;

const NEW_REQUEST = { status: 'pending', payout: null, failedPayouts: [] } as const;

/** The changes of each event type, besides those of balances and the public game. */
const evolvers: { [E in LedgerEvent as E['type']]?: Evolver<E> } = {
  GamerEnrolled: enrol,
  GamerRemoved(state, { gamerId, moved }, changes) {
    remove(state, gamerId, moved, changes);
    if (state.staff.has(gamerId)) setStaff(state, gamerId, false, changes);
    changes.deleteEntry(state.powers, gamerId);
    changes.deleteEntry(state.playLimits, gamerId);
    changes.deleteEntry(state.playSums, gamerId);
  },
  DepositorStatusSet: (state, { gamerId, untilMs }, changes) => setDepositor(state, gamerId, untilMs, changes),
  StaffStatusSet: (state, { gamerId, isStaff }, changes) => setStaff(state, gamerId, isStaff, changes),
  PowersSet(state, { gamerId, powers }, changes) {
    if (powers.length === 0) changes.deleteEntry(state.powers, gamerId);
    else changes.setEntry(state.powers, gamerId, powers);
  },
  GameStarted: (state, { terms }, changes) => widen(state, terms.matrixWidth, changes),
  TokenPurchased(state, data, changes, atMs) {
    const { buyerId, costCents: spending, paymentId } = data;
    if (paymentId !== null) changes.addTo(state.payments, paymentId);
    countPlay(state, buyerId, { spending, deposits: paymentId === null ? 0 : spending }, changes, atMs);
  },
  DepositRecorded(state, data, changes) {
    changes.addTo(state.payments, data.paymentId);
    changes.setEntry(state.deposits, data.depositId, data);
  },
  DepositApproved(state, { depositId, paymentId, gamerId, amountCents, depositorUntilMs }, changes, atMs) {
    countPlay(state, gamerId, { deposits: amountCents }, changes, atMs);
    changes.addTo(state.payments, paymentId);
    // A deposit that was credited automatically was never pending.
    if (state.deposits.has(depositId)) settleDeposit(state, depositId, 'approved', changes);
    if (depositorUntilMs !== null) setDepositor(state, gamerId, depositorUntilMs, changes);
  },
  DepositRejected: (state, { depositId }, changes) => settleDeposit(state, depositId, 'rejected', changes),
  InvoiceCredited(state, { paymentId, gamerId, amountCents }, changes, atMs) {
    changes.addTo(state.payments, paymentId);
    countPlay(state, gamerId, { deposits: amountCents }, changes, atMs);
  },
  WithdrawalRequested: (state, { withdrawalId, ...request }, changes) =>
    changes.setEntry(state.withdrawals, withdrawalId, { ...request, ...NEW_REQUEST }),
  ProfitWithdrawalRequested: (state, { withdrawalId, ...request }, changes) =>
    changes.setEntry(state.withdrawals, withdrawalId, { gamerId: null, ...request, ...NEW_REQUEST }),
  WithdrawalProcessing: changeWithdrawal(() => ({ status: 'processing' })),
  PayoutOrdered: changeWithdrawal(({ batchId, payoutId, amount }) => ({ payout: { batchId, payoutId, amount } })),
  PayoutFailed: changeWithdrawal(({ outcome }, { failedPayouts }) => ({
    payout: null,
    failedPayouts: [...failedPayouts, outcome],
  })),
  LimitsSet: evolveLimits,
  LimitsConfirmed: (state, { gamerId, limits }, changes) =>
    evolveLimits(state, { gamerId, limits, higher: null }, changes),
  ProtectionProfileSet: (state, profile, changes) => changes.setField(state, 'profile', profile),
  RoundEnded(state, { winner, jackpotCents }, changes, atMs) {
    if (winner) countPlay(state, winner.gamerId, { won: jackpotCents }, changes, atMs);
  },
  GamerExcluded: (state, { gamerId, kind, untilMs }, changes) =>
    changes.setEntry(state.exclusions, gamerId, { kind, untilMs }),
  // A lifted exclusion becomes a time-out, which ends by itself when the cooling-off time is over.
  ExclusionLifted: (state, { gamerId, playsFromMs }, changes) =>
    changes.setEntry(state.exclusions, gamerId, { kind: 'time-out', untilMs: playsFromMs }),
  HistoryLost(state, lost, changes, atMs, revision) {
    changes.setField(state, 'losses', [...state.losses, { ...lost, atMs, revision }]);
    changes.setField(state, 'arePayoutsHeld', true);
  },
  PayoutSettled: (state, { payoutId }, changes) =>
    changes.setField(state, 'settledPayouts', [...state.settledPayouts, payoutId]),
  PayoutsReleased: (state, _, changes) => changes.setField(state, 'arePayoutsHeld', false),
  WithdrawalCompleted: settleWithdrawal('completed'),
  ProfitWithdrawalCompleted: settleWithdrawal('completed'),
  WithdrawalReturned: settleWithdrawal('returned'),
  ProfitWithdrawalReturned: settleWithdrawal('returned'),
};

function setDepositor(state: LedgerState, gamerId: GamerId, untilMs: number | null, changes: Changes): void {
  changes.setEntry(state.gamers, gamerId, { ...placeOf(state, gamerId), depositorUntilMs: untilMs });
}

function setStaff(state: LedgerState, gamerId: GamerId, isStaff: boolean, changes: Changes): void {
  const others = [...state.staff].filter((one) => one !== gamerId);
  changes.setField(state, 'staff', new Set(isStaff ? [...others, gamerId] : others));
}

function settleDeposit(state: LedgerState, id: DepositId, status: 'approved' | 'rejected', changes: Changes): void {
  if (!state.deposits.has(id)) throw new Error(`there is no deposit ${id}`);
  changes.deleteEntry(state.deposits, id);
  changes.setEntry(state.settlements, id, { source: 'deposit', status });
}

function changeWithdrawal<E extends { withdrawalId: WithdrawalId }>(
  change: (data: E, before: OpenWithdrawal) => Partial<OpenWithdrawal>,
) {
  return (state: LedgerState, data: E, changes: Changes): void => {
    const before = withdrawalOf(state, data.withdrawalId);
    changes.setEntry(state.withdrawals, data.withdrawalId, { ...before, ...change(data, before) });
  };
}

function settleWithdrawal(status: 'completed' | 'returned') {
  return (state: LedgerState, { withdrawalId }: { withdrawalId: WithdrawalId }, changes: Changes): void => {
    const { gamerId } = withdrawalOf(state, withdrawalId);
    changes.deleteEntry(state.withdrawals, withdrawalId);
    changes.setEntry(state.settlements, withdrawalId, { source: gamerId === null ? 'profit' : 'winnings', status });
  };
}

function withdrawalOf(state: LedgerState, withdrawalId: WithdrawalId): OpenWithdrawal {
  const withdrawal = state.withdrawals.get(withdrawalId);
  if (!withdrawal) throw new Error(`there is no open withdrawal ${withdrawalId}`);
  return withdrawal;
}
