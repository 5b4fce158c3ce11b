import type { BalanceAdjusted, LedgerEvent } from '../../../contracts/events/ledger-events.js';
import type { GamerId } from '../../../contracts/ids.js';
import type { TimerSettings } from '../../../contracts/limits.js';
import { formatCents, formatSignedCents } from '../../../contracts/money.js';
import type { NameOf } from '../gamers/gamer-names.queries.js';
import { dateAndTime, timeOfDay } from './times.js';

/** What an event says, as the ledger lists it: short, because type, gamer and amount stand beside it. */
export function saysOf({ type, data }: LedgerEvent, nameOf: NameOf): string {
  switch (type) {
    case 'TokenPurchased':
      return `${tokens(data.quantity)}, jackpot ${formatCents(data.jackpotCents)}`;
    case 'TimeExtended':
      return `+${whole(data.addedSeconds)} s, ends ${timeOfDay(data.endsAtEpochMs)}`;
    case 'GameStarted':
      return `Round ${data.roundId} opened, jackpot ${formatCents(data.carriedCents)}`;
    case 'LiveStarted':
      return `Round ${data.roundId} live${data.forced ? ', forced' : ''}, ends ${timeOfDay(data.endsAtEpochMs)}`;
    case 'LiveResumed':
      return `Resumed after ${whole(data.outageSeconds)} s nobody could buy in, ends ${timeOfDay(data.endsAtEpochMs)}`;
    case 'RoundEnded':
      return data.winner === null
        ? `Round ${data.roundId} ended without a buyer, ${formatCents(data.jackpotCents)} carried`
        : `Round ${data.roundId} won, jackpot ${formatCents(data.jackpotCents)}`;
    case 'GameReset':
      return `${data.roundId === null ? 'Reset to idle' : `Round ${data.roundId} void`}, ${formatCents(data.carriedCents)} carried`;
    case 'TimersChanged':
      return timersInWords(data);
    case 'GamerEnrolled':
      return data.parentId === null ? 'The house, root of the matrix' : `Place ${placeInWords(data, nameOf)}`;
    case 'GamerRemoved':
      return `${children(data.moved.length)} moved, ${formatCents(data.forfeitedPurchaseCents + data.forfeitedWinningsCents)} forfeited`;
    case 'DepositorStatusSet':
      return data.untilEpochMs === null ? 'Depositor no more' : `Depositor until ${dateAndTime(data.untilEpochMs)}`;
    case 'WinningsTransferred':
      return `${formatCents(data.amountCents)} to the purchase balance`;
    case 'BalanceAdjusted':
      return data.reason ? `${adjustmentInWords(data)}: ${data.reason}` : adjustmentInWords(data);
    case 'DepositRecorded':
      return `${reasonInWords(data.reason)}, parked for review`;
    case 'DepositApproved':
      return `${formatCents(data.amountCents)} in ${data.cryptoType}${data.purpose === 'tokens' ? ', meant for tokens' : ''}`;
    case 'DepositRejected':
      return `Payment ${data.paymentId} rejected`;
    case 'InvoiceCredited':
      return `${formatCents(data.amountCents)} in ${data.cryptoType}, too late for ${tokens(data.quantity)}`;
    case 'WithdrawalRequested':
    case 'ProfitWithdrawalRequested':
      return `${formatCents(data.amountCents)} in ${data.cryptoType}`;
    case 'WithdrawalProcessing':
      return 'Being paid out';
    case 'WithdrawalCompleted':
    case 'ProfitWithdrawalCompleted':
      return `${formatCents(data.amountCents)} paid out`;
    case 'WithdrawalReturned':
    case 'ProfitWithdrawalReturned':
      return `${formatCents(data.amountCents)} returned`;
  }
}

export const whole = (value: number): string => value.toLocaleString('en-US');
export const tokens = (quantity: number): string => (quantity === 1 ? '1 token' : `${whole(quantity)} tokens`);
const children = (count: number): string => (count === 1 ? '1 child' : `${count} children`);

/** "2 under alice": places are counted from 1. */
export const placeInWords = (
  { parentId, slot }: { parentId: GamerId | null; slot: 0 | 1 | 2 | null },
  nameOf: NameOf,
): string => (parentId === null || slot === null ? 'root' : `${slot + 1} under ${nameOf(parentId)}`);

const timersInWords = (timers: TimerSettings): string =>
  `Pregame ${whole(timers.pregameDurationSeconds)} s, live ${whole(timers.liveDurationSeconds)} s, ` +
  `downtime ${whole(timers.downtimeDurationSeconds)} s, a token ${whole(timers.tokenExtensionSeconds)} s`;

/** "wrong-coin" is "Wrong coin". */
export const reasonInWords = (reason: string): string =>
  reason.charAt(0).toUpperCase() + reason.slice(1).replaceAll('-', ' ');

function adjustmentInWords({ purchaseCents, winningsCents }: BalanceAdjusted['data']): string {
  const parts = [
    ...(purchaseCents === 0 ? [] : [`purchase balance ${formatSignedCents(purchaseCents)}`]),
    ...(winningsCents === 0 ? [] : [`winnings ${formatSignedCents(winningsCents)}`]),
  ].join(', ');
  return parts.charAt(0).toUpperCase() + parts.slice(1);
}

/** "WithdrawalRequested" is "Withdrawal requested". */
export const wordsOfType = (type: LedgerEvent['type']): string =>
  type.charAt(0) +
  type
    .slice(1)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
