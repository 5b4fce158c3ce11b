import type { OurEvent } from '../../../../../contracts/events/recorded.js';
import type { ActivityBefore } from '../../../../../projections/src/views/tables.entity.js';
import { describeActivity } from './event-descriptions.js';

const activityOf = (event: OurEvent, before: ActivityBefore | null = null, gamerTag: string | null = 'alice') =>
  describeActivity({ event, before, gamerTag });

it('names a payout’s amount and its change of status', () => {
  const data = { withdrawalId: 'w', gamerId: 'a', amountCents: 1_000, adminNotes: null, txid: null };
  const withdrawal = { amountCents: 1_000, cryptoType: 'LTC', status: 'processing' as const };
  expect(activityOf({ type: 'WithdrawalReturned', data }, { withdrawal })).toBe(
    'Withdrawal of $10.00 in LTC by alice: processing → returned',
  );
  expect(
    activityOf({ type: 'ProfitWithdrawalCompleted', data }, { withdrawal: { ...withdrawal, status: 'pending' } }),
  ).toBe('Profit withdrawal of $10.00 in LTC: pending → completed');
});

it('names the changes of balance and depositor status by an approval', () => {
  const data = {
    depositId: 'd',
    paymentId: '5001',
    purpose: 'deposit' as const,
    gamerId: 'a',
    amountCents: 2_000,
    feeCents: 100,
    cryptoType: 'LTC' as const,
    depositorUntilEpochMs: Date.UTC(2026, 0, 31, 17),
    purchaseBalanceCents: 2_500,
    reassignmentReason: null,
  };
  expect(activityOf({ type: 'DepositApproved', data })).toBe(
    'Approved LTC payment 5001 for alice: purchase balance $5.00 → $25.00, ' +
      'depositor status off → until Jan 31, 2026, 12:00 PM',
  );
  expect(
    activityOf({ type: 'DepositApproved', data: { ...data, purpose: 'tokens', depositorUntilEpochMs: null } }),
  ).toBe('Approved LTC payment 5001 for alice: purchase balance $5.00 → $25.00');
});

it('names a replaced note, and a payout’s transaction', () => {
  const ticket = { gamerId: 'a', subject: 'Help', status: 'closed' as const, adminNotes: 'Look again' };
  expect(activityOf({ type: 'TicketNoted', data: { ticketId: 't', adminNotes: 'Done' } }, { ticket })).toBe(
    'Noted on the closed ticket "Help" of alice, in place of the note "Look again"',
  );
  expect(activityOf({ type: 'TicketReopened', data: { ticketId: 't', adminNotes: null } }, { ticket })).toBe(
    'Ticket "Help" of alice: closed → open',
  );
  const data = { withdrawalId: 'w', gamerId: 'a', amountCents: 1_000, adminNotes: null, txid: '3f9a' };
  const withdrawal = { amountCents: 1_000, cryptoType: 'LTC', status: 'pending' as const };
  expect(activityOf({ type: 'WithdrawalCompleted', data }, { withdrawal })).toBe(
    'Withdrawal of $10.00 in LTC by alice: pending → completed, transaction 3f9a',
  );
});

it('counts the moved children and forfeited cents of a removal', () => {
  const data = {
    gamerId: 'a',
    moved: [{ gamerId: 'b', parentId: 'c', slot: 0 as const }],
    forfeitedPurchaseCents: 100,
    forfeitedWinningsCents: 23,
  };
  expect(activityOf({ type: 'GamerRemoved', data }, null, 'deleted-gamer')).toBe(
    'Deleted deleted-gamer: 1 child moved, $1.23 forfeited',
  );
});

it('uses the event’s type where no admin’s command leads to it', () => {
  expect(
    activityOf({ type: 'WinningsTransferred', data: { gamerId: 'a', amountCents: 1, purchaseBalanceCents: 1 } }),
  ).toBe('winnings transferred');
});
