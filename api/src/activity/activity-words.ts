import type { BalanceAdjusted, DepositApproved } from '../../../contracts/events/ledger-events.js';
import type { OurEvent } from '../../../contracts/events/recorded.js';
import type { TimerSettings } from '../../../contracts/limits.js';
import { formatCents, formatSignedCents } from '../../../contracts/money.js';
import type { ActivityBefore } from '../../../projections/src/views/activity.entity.js';

interface Told {
  event: OurEvent;
  before: ActivityBefore | null;
  /** Of the gamer concerned; null where there is none. */
  gamerTag: string | null;
}

/** What an admin did, as a sentence without its subject, with before and after. */
export function inWords({ event, before, gamerTag }: Told): string {
  const whom = gamerTag ?? 'no gamer';
  const { type, data } = event;
  switch (type) {
    case 'AdminSignedIn':
      return 'Signed in';
    case 'GamerRenamed':
      return `Renamed ${data.gamerTagBefore} to ${data.gamerTag}`;
    case 'EmailChanged':
      return `Changed the email of ${whom} from ${data.emailBefore} to ${data.email}`;
    case 'PasswordChanged':
      return data.by === 'admin' ? `Set a new password for ${whom}` : `Set a new password for ${whom} by a mailed link`;
    case 'RoleChanged':
      return `Changed the role of ${whom} from ${data.roleBefore} to ${data.role}`;
    case 'WalletSaved':
      return `Saved ${data.walletAddress} as the ${data.cryptoType} address of ${whom}`;
    case 'GamerRemoved':
      return removal(data, whom);
    case 'BalanceAdjusted':
      return `Adjusted the balances of ${whom}: ${adjustment(data)}`;
    case 'DepositorStatusSet':
      return `Depositor status of ${whom}: ${until(before?.depositorUntilEpochMs ?? null)} → ${until(data.untilEpochMs)}`;
    case 'TimersChanged':
      return `Changed the timers: ${timers(before?.timers, data)}`;
    case 'GameStarted':
      return `Started round ${data.roundId} with a jackpot of ${formatCents(data.carriedCents)}`;
    case 'LiveStarted':
      return data.forced ? `Forced round ${data.roundId} live` : `Round ${data.roundId} went live`;
    case 'GameReset':
      return data.roundId === null
        ? `Reset the game to idle: ${formatCents(data.carriedCents)} carried on`
        : `Voided round ${data.roundId} and reset the game to idle: ${formatCents(data.carriedCents)} carried on`;
    case 'DepositApproved':
      return `Approved ${data.cryptoType} payment ${data.paymentId} for ${whom}: ${approval(data, before)}`;
    case 'PaymentSeen':
      return `Looked payment ${data.paymentId} up: ${data.status}, with ${data.actuallyPaid} ${data.payCurrency.toUpperCase()} paid`;
    case 'DepositRejected':
      return `Rejected payment ${data.paymentId}${before?.deposit ? ` of ${formatCents(before.deposit.amountCents)} in ${before.deposit.cryptoType} (${whom})` : ''}`;
    case 'WithdrawalProcessing':
    case 'WithdrawalCompleted':
    case 'WithdrawalReturned':
      return `Withdrawal of ${payout(before)} by ${whom}: ${moved(before, type.replace('Withdrawal', ''), data)}`;
    case 'ProfitWithdrawalRequested':
      return `Requested ${formatCents(data.amountCents)} of profit in ${data.cryptoType} to ${data.walletAddress}`;
    case 'ProfitWithdrawalCompleted':
    case 'ProfitWithdrawalReturned':
      return `Profit withdrawal of ${payout(before)}: ${moved(before, type.replace('ProfitWithdrawal', ''), data)}`;
    case 'TicketOpened':
      return `Opened the ticket "${data.subject}"`;
    case 'TicketClosed':
      return `Ticket "${before?.ticket?.subject}" of ${whom}: ${before?.ticket?.status} → closed${replaced(before, data)}`;
    case 'TicketReopened':
      return `Ticket "${before?.ticket?.subject}" of ${whom}: ${before?.ticket?.status} → open${replaced(before, data)}`;
    case 'TicketNoted':
      return `Noted on the ${before?.ticket?.status} ticket "${before?.ticket?.subject}" of ${whom}${replaced(before, data)}`;
    case 'PostPublished':
      return 'Posted to the community';
    case 'PostHidden':
      return `Hid a post of ${whom}`;
    default:
      // No command of an admin's leads to it today. It is told all the same: a trail leaves nothing out.
      return type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  }
}

const DATE = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'America/New_York',
});

const until = (epochMs: number | null): string => (epochMs === null ? 'off' : `until ${DATE.format(epochMs)}`);

/** A balance from what it was to what it is. */
const balance = (changeCents: number, afterCents: number): string =>
  `${formatCents(afterCents - changeCents)} → ${formatCents(afterCents)}`;

function adjustment(data: BalanceAdjusted['data']): string {
  const { purchaseCents, winningsCents, purchaseBalanceCents, winningsBalanceCents } = data;
  // The first version of the event does not say what the winnings came to.
  const winnings =
    winningsBalanceCents === undefined
      ? formatSignedCents(winningsCents)
      : balance(winningsCents, winningsBalanceCents);
  const parts = [
    purchaseCents !== 0 && `purchase balance ${balance(purchaseCents, purchaseBalanceCents)}`,
    winningsCents !== 0 && `winnings ${winnings}`,
  ];
  return parts.filter(Boolean).join(', ');
}

function approval(data: DepositApproved['data'], before: ActivityBefore | null): string {
  const { amountCents, purchaseBalanceCents, depositorUntilEpochMs } = data;
  const purchase = `purchase balance ${balance(amountCents, purchaseBalanceCents)}`;
  if (depositorUntilEpochMs === null) return purchase;
  return `${purchase}, depositor status ${until(before?.depositorUntilEpochMs ?? null)} → ${until(depositorUntilEpochMs)}`;
}

/** The notes that were there before, where others took their place. */
function replaced(before: ActivityBefore | null, { adminNotes }: { adminNotes: string | null }): string {
  const earlier = before?.ticket?.adminNotes ?? null;
  return earlier === null || adminNotes === null || adminNotes === earlier ? '' : `, in place of the note "${earlier}"`;
}

const TIMERS: Record<keyof TimerSettings, string> = {
  pregameDurationSeconds: 'pregame',
  liveDurationSeconds: 'live',
  downtimeDurationSeconds: 'downtime',
  tokenExtensionSeconds: 'a token',
};

function timers(before: TimerSettings | undefined, after: TimerSettings): string {
  const names = Object.keys(TIMERS) as (keyof TimerSettings)[];
  const changed = names.filter((name) => before?.[name] !== after[name]);
  if (changed.length === 0) return 'to what they were';
  return changed.map((name) => `${TIMERS[name]} ${before?.[name] ?? '?'} → ${after[name]} s`).join(', ');
}

const payout = (before: ActivityBefore | null): string =>
  before?.withdrawal ? `${formatCents(before.withdrawal.amountCents)} in ${before.withdrawal.cryptoType}` : 'crypto';

function moved(before: ActivityBefore | null, after: string, data: object): string {
  const transaction = 'txid' in data && data.txid !== null ? `, transaction ${data.txid}` : '';
  return `${before?.withdrawal?.status ?? 'requested'} → ${after.toLowerCase()}${transaction}`;
}

function removal(
  data: { moved: unknown[]; forfeitedPurchaseCents: number; forfeitedWinningsCents: number },
  whom: string,
): string {
  const forfeited = formatCents(data.forfeitedPurchaseCents + data.forfeitedWinningsCents);
  const count = data.moved.length;
  return `Deleted ${whom}: ${count} ${count === 1 ? 'child' : 'children'} moved, ${forfeited} forfeited`;
}
