import type { SecondPersonLimits } from '../limits.js';
import type { Cents } from '../money.js';
import type { LedgerEvents } from './ledger-events.js';

/** The digest of a withdrawal's address, and the end of its wait. In version 1 no withdrawal waited. */
export const payoutHoldOf = ({ addressDigest, heldUntilEpochMs }: LedgerEvents['WithdrawalRequested']) => ({
  addressDigest: addressDigest ?? null,
  heldUntilEpochMs: heldUntilEpochMs ?? null,
});

/** The limit of what one person moves alone in a day. Version 1 leaves it as it was. @param before the event */
export const limitPerDayOf = (
  { aboveCentsPerDay }: LedgerEvents['SecondPersonLimitSet'],
  before: Cents | null,
): Cents | null => (aboveCentsPerDay === undefined ? before : aboveCentsPerDay);

/** Both limits after the event. */
export const secondPersonLimitsOf = (
  data: LedgerEvents['SecondPersonLimitSet'],
  before: SecondPersonLimits,
): SecondPersonLimits => ({
  aboveCents: data.aboveCents,
  aboveCentsPerDay: limitPerDayOf(data, before.aboveCentsPerDay),
});
