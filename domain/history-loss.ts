import { accept, type Decider, refuse } from './ledger/ledger-commands.js';
import type { HistoryLoss, LedgerState } from './ledger/ledger-state.js';

/*
 * After a loss of history (decision 66) a withdrawal that is open in the log may have been paid. So payouts are held until the
 * gateway was asked, and each payout that no withdrawal in the log names is settled.
 */

export const acceptLoss: Decider<'AcceptLoss'> = ({ atMs, losses }, { signed, acceptedBy, reason }) => {
  if (acceptedBy.trim() === '' || reason.trim() === '') return refuse({ code: 'loss-reason-required' });
  if (losses.at(-1)?.signedRoot === signed.signedRoot) return refuse({ code: 'loss-already-accepted' });
  const data = { ...signed, lastKeptAtMs: atMs, acceptedBy: acceptedBy.trim(), reason: reason.trim() };
  return accept({ type: 'HistoryLost', data });
};

export const settlePayout: Decider<'SettlePayout'> = (state, { payoutId, adminNotes }) => {
  if (!state.arePayoutsHeld) return refuse({ code: 'payouts-not-held' });
  if (adminNotes.trim() === '') return refuse({ code: 'payout-notes-required' });
  if (isPayoutSettled(state, payoutId)) return accept();
  return accept({ type: 'PayoutSettled', data: { payoutId, adminNotes: adminNotes.trim() } });
};

export const releasePayouts: Decider<'ReleasePayouts'> = ({ arePayoutsHeld }, command) => {
  const { paymentCount, payoutCount, reason } = command;
  if (!arePayoutsHeld) return refuse({ code: 'payouts-not-held' });
  if (reason?.trim() === '') return refuse({ code: 'payout-notes-required' });
  return accept({ type: 'PayoutsReleased', data: { paymentCount, payoutCount, reason: reason?.trim() ?? null } });
};

/** Whether the log itself says that it lost the events of this signed head. */
export const isLossAccepted = ({ losses }: LedgerState, size: number, root: string): boolean =>
  losses.some(({ signedSize, signedRoot }) => signedSize === size && signedRoot === root);

/** Oldest first. */
export const acceptedLosses = ({ losses }: LedgerState): readonly HistoryLoss[] => losses;

export const isPayoutSettled = ({ settledPayouts }: LedgerState, id: string) => settledPayouts.includes(id);

/** The loss that holds payouts; null while none does. */
export const lossHoldingPayouts = ({ arePayoutsHeld, losses }: LedgerState): HistoryLoss | null =>
  arePayoutsHeld ? (losses.at(-1) ?? null) : null;

/** The loss in which a countdown reached zero, if any: purchases that would have gone on with it may be lost. */
export const historyLossAround = ({ losses }: LedgerState, endsAtMs: number): HistoryLoss | undefined =>
  losses.findLast(({ lastKeptAtMs, atMs }) => lastKeptAtMs < endsAtMs && endsAtMs <= atMs);
