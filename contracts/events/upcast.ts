import type { LedgerEvents } from './ledger-events.js';

/** The digest of a withdrawal's address, and the end of its wait. In version 1 no withdrawal waited. */
export const payoutHoldOf = ({ addressDigest, heldUntilEpochMs }: LedgerEvents['WithdrawalRequested']) => ({
  addressDigest: addressDigest ?? null,
  heldUntilEpochMs: heldUntilEpochMs ?? null,
});
