import type { Auditor } from '../replay/auditor.js';
import type { Seat } from '../rules/matrix.js';

/** Everything in the nodes' state that is neither a collection nor the memory of commands, by its name. */
export function expectedFields(auditor: Auditor): Record<string, unknown> {
  const { accounts, entitlements, rounds, playLimits, board, at } = auditor;
  const { phase, timers, endsAtMs } = rounds;
  const isIdle = phase === 'idle';
  return {
    adminId: entitlements.adminId,
    game: {
      phase,
      roundId: isIdle ? null : rounds.lastRoundId,
      lastRoundId: rounds.lastRoundId,
      endsAtEpochMs: isIdle ? null : endsAtMs,
      jackpotCents: accounts.of('jackpot'),
      timers,
      terms: entitlements.terms,
      ...board.fields,
    },
    profile: playLimits.profile,
    losses: auditor.losses,
    arePayoutsHeld: auditor.withdrawals.areHeld,
    settledPayouts: auditor.withdrawals.settledPayouts,
    at,
  };
}

/** The collections of the nodes' state, by their names. */
export function expectedCollections(
  auditor: Auditor,
): Record<string, ReadonlyMap<string, unknown> | ReadonlySet<string>> {
  const { accounts, entitlements, deposits, exclusions, playLimits, settled, withdrawals } = auditor;
  const { matrix, staff, powers } = entitlements;
  return {
    balances: new Map<string, number>(accounts.nonZero()),
    gamers: new Map([...matrix.seats].map(([gamerId, seat]) => [gamerId, placeOf(seat, matrix.width)])),
    staff,
    powers,
    payments: deposits.payments,
    deposits: deposits.pending,
    withdrawals: withdrawals.open,
    settled: settled.outcomes,
    exclusions: exclusions.newest,
    limited: playLimits.limited,
    usage: playLimits.usage(),
  };
}

function placeOf({ sponsorId, parent, slot, children, distance, depositorUntilMs }: Seat, width: number): object {
  return {
    sponsorId,
    parentId: parent?.gamerId ?? null,
    slot: parent === null ? null : slot,
    children: Array.from({ length: width }, (_, index) => children[index]?.gamerId ?? null),
    openDepth: distance,
    depositorUntilEpochMs: depositorUntilMs,
  };
}
