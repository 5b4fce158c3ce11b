import type { TimerSettings, TokenTerms } from '../../contracts/limits.js';

/* Alice refers Bob; Carol has no sponsor. Amounts are literals: a wrong limit of the product must fail a test. */

export const ADMIN = 'admin';
export const ALICE = 'alice';
export const BOB = 'bob';
export const CAROL = 'carol';
/** Time of the first event of a scenario, epoch ms. */
export const T0 = Date.UTC(2026, 0, 1, 12, 0, 0);
export const SECOND = 1_000;
export const DAY = 86_400_000;

export const TIMERS: TimerSettings = {
  pregameDurationSeconds: 180,
  liveDurationSeconds: 120,
  downtimeDurationSeconds: 14_400,
  tokenExtensionSeconds: 30,
};

export const TERMS: TokenTerms = {
  tokenPriceCents: 30,
  jackpotShareCents: 13,
  houseShareCents: 2,
  levelShareCents: [2, 2, 2, 2, 2, 2, 2],
  directBonusCents: 1,
  matrixWidth: 3,
};
