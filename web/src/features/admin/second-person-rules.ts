import type { WaitingRequest } from '../../../../contracts/http/admin.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { SECOND_PERSON_WITHIN_MS } from '../../../../contracts/limits.js';
import { formatCents, formatSignedCents } from '../../../../contracts/money.js';

/** Neither the person who requested it nor the gamer concerned can be its second person. */
export const canConfirm = ({ isOwn, gamerId }: WaitingRequest, viewer: GamerId | undefined): boolean =>
  !isOwn && gamerId !== viewer;

/** Epoch milliseconds. */
export const requestedAt = ({ until }: WaitingRequest): number => until - SECOND_PERSON_WITHIN_MS;

/** "Purchase +$600.00, winnings −$1.00", without a part that stays; "Payout of $700.00" */
export function describeRequest({ kind, amountCents, purchaseCents, winningsCents }: WaitingRequest): string {
  if (kind === 'payout') return `Payout of ${formatCents(amountCents)}`;
  if (winningsCents === 0) return `Purchase ${formatSignedCents(purchaseCents)}`;
  if (purchaseCents === 0) return `Winnings ${formatSignedCents(winningsCents)}`;
  return `Purchase ${formatSignedCents(purchaseCents)}, winnings ${formatSignedCents(winningsCents)}`;
}
