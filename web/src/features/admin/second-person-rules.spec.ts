import type { WaitingRequest } from '../../../../contracts/http/admin.js';
import { SECOND_PERSON_WITHIN_MS } from '../../../../contracts/limits.js';
import { canConfirm, describeRequest, requestedAt } from './second-person-rules.js';

const adjustment: WaitingRequest = {
  kind: 'adjustment',
  withdrawalId: null,
  gamerId: 'paul',
  gamerTag: 'paul',
  purchaseCents: 60_000,
  winningsCents: 0,
  amountCents: 0,
  reason: 'A large gift',
  requestedBy: 'olga',
  isOwn: false,
  until: SECOND_PERSON_WITHIN_MS + 5,
};

it('lets neither the requester nor the gamer concerned confirm', () => {
  expect(canConfirm(adjustment, 'admin')).toBe(true);
  expect(canConfirm({ ...adjustment, isOwn: true }, 'olga')).toBe(false);
  expect(canConfirm(adjustment, 'paul')).toBe(false);
});

it('names the parts that change', () => {
  expect(describeRequest(adjustment)).toBe('Purchase +$600.00');
  expect(describeRequest({ ...adjustment, winningsCents: -100 })).toBe('Purchase +$600.00, winnings −$1.00');
  expect(describeRequest({ ...adjustment, purchaseCents: 0, winningsCents: 70_000 })).toBe('Winnings +$700.00');
  expect(describeRequest({ ...adjustment, kind: 'payout', amountCents: 70_000 })).toBe('Payout of $700.00');
});

it('was requested a day before it lapses', () => {
  expect(requestedAt(adjustment)).toBe(5);
});
