import type { Auditor } from '../replay/auditor.js';
import type { Seat } from '../rules/entitlements.js';

/** The parts of the nodes' state that the auditor's rules compute too; of the game the parts besides the board. */
export function auditedState(auditor: Auditor): { game: object } & Record<string, unknown> {
  const { accounts, entitlements, deposits, exclusions, playLimits, rounds, withdrawals, losses, at } = auditor;
  const { matrix, staff, powers, adminId, terms } = entitlements;
  const { phase, timers, endsAtMs, lastRoundId, plan } = rounds;
  const open =
    phase === 'idle' ? { roundId: null, endsAtEpochMs: null } : { roundId: lastRoundId, endsAtEpochMs: endsAtMs };
  return {
    adminId,
    game: { phase, ...open, lastRoundId, jackpotCents: accounts.of('jackpot'), timers, terms, plan },
    profile: playLimits.profile,
    losses,
    arePayoutsHeld: withdrawals.areHeld,
    at,
    balances: new Map(accounts.nonZero()),
    gamers: new Map([...matrix.seats].map(([gamerId, seat]) => [gamerId, placeOf(seat, matrix.width)])),
    staff,
    powers,
    payments: deposits.payments,
    deposits: deposits.pending,
    withdrawals: withdrawals.open,
    exclusions: exclusions.newest,
    limited: playLimits.limited,
    usage: new Map(
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
