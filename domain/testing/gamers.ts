import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import type { GamerId, Power } from '../../contracts/ids.js';
import { ADMIN, ALICE, BOB, CAROL } from './constants.js';

export const adminEnrolled = (): LedgerEvent => ({
  type: 'GamerEnrolled',
  data: { gamerId: ADMIN, sponsorId: null, parentId: null, slot: null },
});

export const enrolled = (gamerId: GamerId, sponsorId: GamerId | null, parentId: GamerId, slot: number = 0) =>
  ({ type: 'GamerEnrolled', data: { gamerId, sponsorId, parentId, slot } }) satisfies LedgerEvent;

/** The admin; Alice and Carol under the admin, without a sponsor; Bob under Alice, who referred him. */
export const enrolledGamers = (): LedgerEvent[] => [
  adminEnrolled(),
  enrolled(ALICE, null, ADMIN, 0),
  enrolled(CAROL, null, ADMIN, 1),
  enrolled(BOB, ALICE, ALICE, 0),
];

export const depositorUntil = (gamerId: GamerId, untilMs: number | null) =>
  ({ type: 'DepositorStatusSet', data: { gamerId, untilMs } }) satisfies LedgerEvent;

export const staffStatus = (gamerId: GamerId, isStaff: boolean) =>
  ({ type: 'StaffStatusSet', data: { gamerId, isStaff } }) satisfies LedgerEvent;

export const powersSet = (gamerId: GamerId, powers: readonly Power[]) =>
  ({ type: 'PowersSet', data: { gamerId, powers } }) satisfies LedgerEvent;

export const funded = (gamerId: GamerId, purchaseCents: number, winningsCents = 0) =>
  ({
    type: 'BalanceAdjusted',
    data: {
      gamerId,
      purchaseCents,
      winningsCents,
      reason: 'opening',
      purchaseBalanceCents: purchaseCents,
      winningsBalanceCents: winningsCents,
    },
  }) satisfies LedgerEvent;
