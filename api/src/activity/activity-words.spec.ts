import type { OurEvent } from '../../../contracts/events/recorded.js';
import { DEFAULT_TIMERS } from '../../../contracts/limits.js';
import type { ActivityBefore } from '../../../projections/src/views/activity.entity.js';
import { inWords } from './activity-words.js';

const said = (event: OurEvent, before: ActivityBefore | null = null, gamerTag: string | null = 'alice') =>
  inWords({ event, before, gamerTag });

it('says what was changed, from what to what', () => {
  const gamerId = 'a';
  expect(said({ type: 'GamerRenamed', data: { gamerId, gamerTag: 'alice', gamerTagBefore: 'alicia' } })).toBe(
    'Renamed alicia to alice',
  );
  expect(said({ type: 'RoleChanged', data: { gamerId, role: 'auditor', roleBefore: 'gamer' } })).toBe(
    'Changed the role of alice from gamer to auditor',
  );
  const adjusted = { gamerId, purchaseCents: -250, winningsCents: -7, reason: '', purchaseBalanceCents: 1_000 };
  expect(said({ type: 'BalanceAdjusted', data: { ...adjusted, winningsBalanceCents: 93 } })).toBe(
    'Adjusted the balances of alice: purchase balance $12.50 → $10.00, winnings $1.00 → $0.93',
  );
  // As it was written at first.
  expect(said({ type: 'BalanceAdjusted', data: adjusted })).toBe(
    'Adjusted the balances of alice: purchase balance $12.50 → $10.00, winnings −$0.07',
  );
  const untilEpochMs = Date.UTC(2026, 0, 31, 17);
  expect(said({ type: 'DepositorStatusSet', data: { gamerId, untilEpochMs } })).toBe(
    'Depositor status of alice: off → until Jan 31, 2026, 12:00 PM',
  );
  expect(
    said(
      { type: 'DepositorStatusSet', data: { gamerId, untilEpochMs: null } },
      { depositorUntilEpochMs: untilEpochMs },
    ),
  ).toBe('Depositor status of alice: until Jan 31, 2026, 12:00 PM → off');
});

it('names only the timers that changed', () => {
  const data = { ...DEFAULT_TIMERS, liveDurationSeconds: 90 };
  expect(said({ type: 'TimersChanged', data }, { timers: DEFAULT_TIMERS })).toBe('Changed the timers: live 120 → 90 s');
  expect(said({ type: 'TimersChanged', data }, { timers: data })).toBe('Changed the timers: to what they were');
});

it('says what became of a payout, and of how much', () => {
  const data = { withdrawalId: 'w', gamerId: 'a', amountCents: 1_000, adminNotes: null, txid: null };
  const withdrawal = { amountCents: 1_000, cryptoType: 'LTC', status: 'processing' as const };
  expect(said({ type: 'WithdrawalReturned', data }, { withdrawal })).toBe(
    'Withdrawal of $10.00 in LTC by alice: processing → returned',
  );
  expect(said({ type: 'ProfitWithdrawalCompleted', data }, { withdrawal: { ...withdrawal, status: 'pending' } })).toBe(
    'Profit withdrawal of $10.00 in LTC: pending → completed',
  );
});

it('says what an approval made of balance and status', () => {
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
  };
  expect(said({ type: 'DepositApproved', data })).toBe(
    'Approved LTC payment 5001 for alice: purchase balance $5.00 → $25.00, ' +
      'depositor status off → until Jan 31, 2026, 12:00 PM',
  );
  expect(said({ type: 'DepositApproved', data: { ...data, purpose: 'tokens', depositorUntilEpochMs: null } })).toBe(
    'Approved LTC payment 5001 for alice: purchase balance $5.00 → $25.00',
  );
});

it('keeps the notes that others take the place of, and the transaction of a payout', () => {
  const ticket = { gamerId: 'a', subject: 'Help', status: 'closed' as const, adminNotes: 'Look again' };
  expect(said({ type: 'TicketNoted', data: { ticketId: 't', adminNotes: 'Done' } }, { ticket })).toBe(
    'Noted on the closed ticket "Help" of alice, in place of the note "Look again"',
  );
  expect(said({ type: 'TicketReopened', data: { ticketId: 't', adminNotes: null } }, { ticket })).toBe(
    'Ticket "Help" of alice: closed → open',
  );
  const data = { withdrawalId: 'w', gamerId: 'a', amountCents: 1_000, adminNotes: null, txid: '3f9a' };
  const withdrawal = { amountCents: 1_000, cryptoType: 'LTC', status: 'pending' as const };
  expect(said({ type: 'WithdrawalCompleted', data }, { withdrawal })).toBe(
    'Withdrawal of $10.00 in LTC by alice: pending → completed, transaction 3f9a',
  );
});

it('counts what a removal moved and took', () => {
  const data = {
    gamerId: 'a',
    moved: [{ gamerId: 'b', parentId: 'c', slot: 0 as const }],
    forfeitedPurchaseCents: 100,
    forfeitedWinningsCents: 23,
  };
  expect(said({ type: 'GamerRemoved', data }, null, 'deleted-gamer')).toBe(
    'Deleted deleted-gamer: 1 child moved, $1.23 forfeited',
  );
});

it('tells also of what no command of an admin’s leads to', () => {
  expect(said({ type: 'WinningsTransferred', data: { gamerId: 'a', amountCents: 1, purchaseBalanceCents: 1 } })).toBe(
    'winnings transferred',
  );
});
