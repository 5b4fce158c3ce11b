/** POST /api/gamer/{id}/transfer-to-purchase */
export type TransferRequest = { amountCents: number };

/** POST /api/admin/mini/gamers/{id}/adjust: signed deltas in cents (decision 13). */
export type AdjustRequest = { purchaseBalanceCents: number; totalWinningsCents: number; reason?: string };
