/** Expiry inclusive (decision 7). */
export const isActiveDepositor = (gamer: { depositorUntilMs: number | null }, nowMs: number): boolean =>
  gamer.depositorUntilMs !== null && nowMs <= gamer.depositorUntilMs;
