import type { LedgerAccount } from '../../contracts/ledger-accounts.js';
import type { Auditor } from '../replay/auditor.js';
import type { Seat } from '../rules/matrix.js';

/** Stands for the value of a set's member. */
export const MEMBER = Symbol('a member of a set');

/** A collection of the nodes' state, as the log has it. */
export interface ExpectedCollection {
  size: number;
  /** The value under a key, MEMBER for a member of a set; undefined without an entry. */
  valueOf(key: string): unknown;
}

/** Everything in the nodes' state that is neither a collection nor the memory of commands, by its name. */
export function expectedFields(auditor: Auditor): Record<string, unknown> {
  const { accounts, entitlements, phases, rounds, playLimits, board, at } = auditor;
  const { phase, timers, endsAtEpochMs } = phases;
  const isIdle = phase === 'idle';
  return {
    adminId: entitlements.adminId,
    game: {
      phase,
      roundId: isIdle ? null : rounds.lastRoundId,
      lastRoundId: rounds.lastRoundId,
      endsAtEpochMs: isIdle ? null : endsAtEpochMs,
      jackpotCents: accounts.of('jackpot'),
      timers,
      terms: entitlements.terms,
      ...board.fields,
    },
    purchaseTree: rounds.tree,
    profile: playLimits.profile,
    at,
  };
}

/** The collections of the nodes' state, by their names. */
export function expectedCollections(auditor: Auditor): Record<string, ExpectedCollection> {
  const { accounts, entitlements, deposits, exclusions, playLimits, settled, withdrawals } = auditor;
  const memberIf = (isMember: boolean): symbol | undefined => (isMember ? MEMBER : undefined);
  return {
    // The state keeps empty accounts; they count for nothing.
    balances: { size: accounts.held().length, valueOf: (account) => accounts.of(account as LedgerAccount) },
    gamers: {
      size: entitlements.seatCount,
      valueOf: (gamerId) => placeOf(entitlements.seatOf(gamerId), entitlements.matrixWidth),
    },
    staff: { size: entitlements.staffCount, valueOf: (gamerId) => memberIf(entitlements.isStaff(gamerId)) },
    powers: { size: entitlements.operatorCount, valueOf: (gamerId) => nonEmpty(entitlements.powersOf(gamerId)) },
    payments: { size: deposits.paymentCount, valueOf: (paymentId) => memberIf(deposits.hasPayment(paymentId)) },
    deposits: { size: deposits.pendingCount, valueOf: (depositId) => deposits.pendingOf(depositId) },
    withdrawals: { size: withdrawals.openCount, valueOf: (withdrawalId) => withdrawals.openOf(withdrawalId) },
    settled: { size: settled.count, valueOf: (id) => settled.outcomeOf(id) },
    exclusions: { size: exclusions.count, valueOf: (gamerId) => exclusions.newestOf(gamerId) },
    limited: { size: playLimits.limitedCount, valueOf: (gamerId) => playLimits.limitsOf(gamerId) },
    usage: { size: playLimits.playedCount, valueOf: (gamerId) => playLimits.usageOf(gamerId) },
  };
}

const nonEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

function placeOf(seat: Seat | undefined, width: number): object | undefined {
  if (seat === undefined) return undefined;
  const { sponsorId, parent, slot, children, distance, depositorUntilEpochMs } = seat;
  return {
    sponsorId,
    parentId: parent?.gamerId ?? null,
    slot: parent === null ? null : slot,
    children: Array.from({ length: width }, (_, index) => children[index]?.gamerId ?? null),
    openDepth: distance,
    depositorUntilEpochMs,
  };
}
