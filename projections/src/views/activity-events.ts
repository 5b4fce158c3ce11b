import type { LedgerEvents } from '../../../contracts/events/ledger-events.js';
import type { OurEvent } from '../../../contracts/events/recorded.js';
import type { TicketStatus } from '../../../contracts/http/support.js';
import type { DepositId, GamerId, PostId, TicketId, WithdrawalId } from '../../../contracts/ids.js';
import type { ActivityBefore } from './tables.entity.js';

type Before = ActivityBefore | null;

/** How an event type changes a value that later activity entries show as the value before. */
interface Memory<D> {
  /** Key of the changed value; null when the event changes none. */
  key(data: D): string | null;
  /** The value after the event. Without this function the value stays. */
  after?(data: D, before: Before): Before;
}

const ofDeposit = { key: ({ depositId }: { depositId: DepositId }) => `deposit ${depositId}` };
const ofWithdrawal = { key: ({ withdrawalId }: { withdrawalId: WithdrawalId }) => `withdrawal ${withdrawalId}` };
const ofTicket = { key: ({ ticketId }: { ticketId: TicketId }) => `ticket ${ticketId}` };
const ofPost = { key: ({ postId }: { postId: PostId }) => `post ${postId}` };

const ofPayout: Memory<Omit<LedgerEvents['WithdrawalRequested'], 'gamerId'>> = {
  ...ofWithdrawal,
  after: ({ amountCents, cryptoType }) => ({ withdrawal: { amountCents, cryptoType, status: 'pending' } }),
};

/** Notes stay until new ones replace them. */
const ofTicketUpdate = (status?: TicketStatus): Memory<{ ticketId: TicketId; adminNotes: string | null }> => ({
  ...ofTicket,
  after(data, before) {
    if (!before?.ticket) return before;
    const { ticket } = before;
    const adminNotes = data.adminNotes ?? ticket.adminNotes;
    return { ticket: { ...ticket, status: status ?? ticket.status, adminNotes } };
  },
});

const MEMORIES: { [E in OurEvent as E['type']]?: Memory<E['data']> } = {
  TimersChanged: { key: () => 'timers', after: (timers) => ({ timers }) },
  DepositorStatusSet: {
    key: ({ gamerId }) => `depositor ${gamerId}`,
    after: ({ untilEpochMs }) => ({ depositorUntilEpochMs: untilEpochMs }),
  },
  DepositRecorded: {
    ...ofDeposit,
    after: ({ gamerId, amountCents, cryptoType }) => ({ deposit: { gamerId, amountCents, cryptoType } }),
  },
  DepositRejected: ofDeposit,
  // Keeps the depositor status, which the admin may switch off later. The settled deposit does not change again.
  DepositApproved: {
    key: ({ gamerId, depositorUntilEpochMs }) => (depositorUntilEpochMs === null ? null : `depositor ${gamerId}`),
    after: ({ depositorUntilEpochMs }) => ({ depositorUntilEpochMs }),
  },
  WithdrawalRequested: ofPayout,
  ProfitWithdrawalRequested: ofPayout,
  WithdrawalProcessing: {
    ...ofWithdrawal,
    after: (_, before) =>
      before?.withdrawal ? { withdrawal: { ...before.withdrawal, status: 'processing' } } : before,
  },
  WithdrawalCompleted: ofWithdrawal,
  WithdrawalReturned: ofWithdrawal,
  ProfitWithdrawalCompleted: ofWithdrawal,
  ProfitWithdrawalReturned: ofWithdrawal,
  TicketOpened: {
    ...ofTicket,
    after: ({ gamerId, subject }) => ({ ticket: { gamerId, subject, status: 'open', adminNotes: null } }),
  },
  TicketClosed: ofTicketUpdate('closed'),
  TicketReopened: ofTicketUpdate('open'),
  TicketNoted: ofTicketUpdate(),
  PostPublished: { ...ofPost, after: ({ gamerId }) => ({ post: { gamerId } }) },
  PostHidden: ofPost,
};

const memoryOf = (type: OurEvent['type']) => MEMORIES[type] as Memory<OurEvent['data']> | undefined;

/** Key of the value that the event changes; null when it changes none that is kept. */
export const memoryKeyOf = ({ type, data }: OurEvent): string | null => memoryOf(type)?.key(data) ?? null;

export const valueAfter = ({ type, data }: OurEvent, before: Before): Before =>
  memoryOf(type)?.after?.(data, before) ?? before;

/** The event's subject (a deposit, ticket, gamer …), and its gamer. */
export function subjectOf(
  { type, data }: OurEvent,
  before: Before,
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

/** The admin's reason or notes; null without any. */
export function reasonOf({ type, data }: OurEvent): string | null {
  if (type === 'BalanceAdjusted' || type === 'GameReset' || type === 'PostHidden') return data.reason || null;
  if ('reassignmentReason' in data) return data.reassignmentReason || null;
  return 'adminNotes' in data ? data.adminNotes : null;
}
