import type { OurEvent } from '../../../contracts/events/recorded.js';
import type { TimerSettings } from '../../../contracts/limits.js';
import { formatCents } from '../../../contracts/money.js';
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
      return `Approved ${data.cryptoType} payment ${data.paymentId}: ${formatCents(data.amountCents)} to ${whom}, now at ${formatCents(data.purchaseBalanceCents)}`;
    case 'DepositRejected':
      return `Rejected payment ${data.paymentId}${before?.deposit ? ` of ${formatCents(before.deposit.amountCents)} in ${before.deposit.cryptoType} (${whom})` : ''}`;
    case 'WithdrawalProcessing':
    case 'WithdrawalCompleted':
    case 'WithdrawalReturned':
      return `Withdrawal of ${payout(before)} by ${whom}: ${moved(before, type.replace('Withdrawal', ''))}`;
    case 'ProfitWithdrawalRequested':
      return `Requested ${formatCents(data.amountCents)} of profit in ${data.cryptoType} to ${data.walletAddress}`;
    case 'ProfitWithdrawalCompleted':
    case 'ProfitWithdrawalReturned':
      return `Profit withdrawal of ${payout(before)}: ${moved(before, type.replace('ProfitWithdrawal', ''))}`;
    case 'TicketOpened':
      return `Opened the ticket "${data.subject}"`;
    case 'TicketClosed':
      return `Ticket "${before?.ticket?.subject}" of ${whom}: ${before?.ticket?.status} → closed`;
    case 'TicketReopened':
      return `Ticket "${before?.ticket?.subject}" of ${whom}: ${before?.ticket?.status} → open`;
    case 'TicketNoted':
      return `Noted on the ${before?.ticket?.status} ticket "${before?.ticket?.subject}" of ${whom}`;
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

const signed = (cents: number): string => (cents < 0 ? `−${formatCents(-cents)}` : `+${formatCents(cents)}`);

function adjustment(data: { purchaseCents: number; winningsCents: number; purchaseBalanceCents: number }): string {
  const { purchaseCents, winningsCents, purchaseBalanceCents } = data;
  const parts = [];
  if (purchaseCents !== 0) {
    const [before, after] = [purchaseBalanceCents - purchaseCents, purchaseBalanceCents].map(formatCents);
    parts.push(`purchase balance ${before} → ${after}`);
  }
  // The event does not say what the winnings came to.
  if (winningsCents !== 0) parts.push(`winnings ${signed(winningsCents)}`);
  return parts.join(', ');
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

const moved = (before: ActivityBefore | null, after: string): string =>
  `${before?.withdrawal?.status ?? 'requested'} → ${after.toLowerCase()}`;

function removal(
  data: { moved: unknown[]; forfeitedPurchaseCents: number; forfeitedWinningsCents: number },
  whom: string,
): string {
  const forfeited = formatCents(data.forfeitedPurchaseCents + data.forfeitedWinningsCents);
  const count = data.moved.length;
  return `Deleted ${whom}: ${count} ${count === 1 ? 'child' : 'children'} moved, ${forfeited} forfeited`;
}
