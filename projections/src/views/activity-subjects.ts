import type { OurEvent } from '../../../contracts/events/recorded.js';
import type { TicketStatus } from '../../../contracts/http/support.js';
import type { GamerId } from '../../../contracts/ids.js';
import type { ActivityBefore } from './activity.entity.js';

/** Under which key it is remembered how what the event changes was before it; null when nothing need be. */
export function memoryKeyOf({ type, data }: OurEvent): string | null {
  switch (type) {
    case 'TimersChanged':
      return 'timers';
    case 'DepositorStatusSet':
      return `depositor ${data.gamerId}`;
    case 'DepositRecorded':
    case 'DepositRejected':
      return `deposit ${data.depositId}`;
    case 'DepositApproved':
      // It settles what was recorded, and makes a depositor: what may be switched off is what matters later.
      return data.depositorUntilEpochMs === null ? null : `depositor ${data.gamerId}`;
    case 'WithdrawalRequested':
    case 'WithdrawalProcessing':
    case 'WithdrawalCompleted':
    case 'WithdrawalReturned':
    case 'ProfitWithdrawalRequested':
    case 'ProfitWithdrawalCompleted':
    case 'ProfitWithdrawalReturned':
      return `withdrawal ${data.withdrawalId}`;
    case 'TicketOpened':
    case 'TicketClosed':
    case 'TicketReopened':
    case 'TicketNoted':
      return `ticket ${data.ticketId}`;
    case 'PostPublished':
    case 'PostHidden':
      return `post ${data.postId}`;
    default:
      return null;
  }
}

/** What is to be remembered after the event under its key. */
export function remembered({ type, data }: OurEvent, before: ActivityBefore | null): ActivityBefore | null {
  switch (type) {
    case 'TimersChanged':
      return { timers: data };
    case 'DepositorStatusSet':
      return { depositorUntilEpochMs: data.untilEpochMs };
    case 'DepositApproved':
      return { depositorUntilEpochMs: data.depositorUntilEpochMs };
    case 'DepositRecorded': {
      const { gamerId, amountCents, cryptoType } = data;
      return { deposit: { gamerId, amountCents, cryptoType } };
    }
    case 'WithdrawalRequested':
    case 'ProfitWithdrawalRequested': {
      const { amountCents, cryptoType } = data;
      return { withdrawal: { amountCents, cryptoType, status: 'pending' } };
    }
    case 'WithdrawalProcessing':
      return before?.withdrawal ? { withdrawal: { ...before.withdrawal, status: 'processing' } } : before;
    case 'TicketOpened':
      return { ticket: { gamerId: data.gamerId, subject: data.subject, status: 'open', adminNotes: null } };
    case 'TicketClosed':
      return ticketAfter(before, { status: 'closed', adminNotes: data.adminNotes });
    case 'TicketReopened':
      return ticketAfter(before, { status: 'open', adminNotes: data.adminNotes });
    case 'TicketNoted':
      return ticketAfter(before, { adminNotes: data.adminNotes });
    case 'PostPublished':
      return { post: { gamerId: data.gamerId } };
    default:
      return before;
  }
}

/** Notes stay until others replace them. */
function ticketAfter(
  before: ActivityBefore | null,
  { status, adminNotes }: { status?: TicketStatus; adminNotes: string | null },
): ActivityBefore | null {
  if (!before?.ticket) return before;
  const { ticket } = before;
  return {
    ticket: { ...ticket, status: status ?? ticket.status, adminNotes: adminNotes ?? ticket.adminNotes },
  };
}

/** What an event is about, and the gamer whom that is or belongs to. */
export function subjectOf(
  { type, data }: OurEvent,
  before: ActivityBefore | null,
): { subjectId: string | null; gamerId: GamerId | null } {
  const own = 'gamerId' in data ? data.gamerId : null;
  const gamerId = own ?? before?.ticket?.gamerId ?? before?.post?.gamerId ?? before?.deposit?.gamerId ?? null;
  if ('withdrawalId' in data) return { subjectId: data.withdrawalId, gamerId };
  if ('depositId' in data && data.depositId !== null) return { subjectId: data.depositId, gamerId };
  if (type === 'PaymentSeen') return { subjectId: data.paymentId, gamerId };
  if ('ticketId' in data) return { subjectId: data.ticketId, gamerId };
  if ('postId' in data) return { subjectId: data.postId, gamerId };
  if ('roundId' in data && data.roundId !== null) return { subjectId: String(data.roundId), gamerId };
  return { subjectId: gamerId, gamerId };
}

/** Why, in the admin's words; null where none were given. */
export function reasonOf({ type, data }: OurEvent): string | null {
  if (type === 'BalanceAdjusted' || type === 'GameReset' || type === 'PostHidden') return data.reason || null;
  return 'adminNotes' in data ? data.adminNotes : null;
}
