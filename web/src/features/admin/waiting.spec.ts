import type { WaitingRequest } from '../../../../contracts/http/admin.js';
import type { PendingDeposit } from '../../../../contracts/http/payments.js';
import type { AdminTicket } from '../../../../contracts/http/support.js';
import type { Withdrawal } from '../../../../contracts/http/withdrawals.js';
import { SECOND_PERSON_WITHIN_MS } from '../../../../contracts/limits.js';
import { firstWaiting } from './waiting.js';

const at = <Row>(id: string, createdAt: number): Row => ({ id, createdAt }) as Row;
const requestAt = (requestedAt: number, request: Partial<WaitingRequest>) =>
  ({ kind: 'adjustment', gamerId: 'paul', until: requestedAt + SECOND_PERSON_WITHIN_MS, ...request }) as WaitingRequest;

const none = { withdrawals: [], deposits: [], tickets: [], requests: [] };

it('puts the longest wait of all lists first', () => {
  const queue = firstWaiting(
    {
      withdrawals: [at<Withdrawal>('w-new', 50), at<Withdrawal>('w-old', 20)],
      deposits: [at<PendingDeposit>('d', 10)],
      tickets: [at<AdminTicket>('t', 30)],
      requests: [requestAt(40, { isOwn: false })],
    },
    'admin',
  );
  expect(queue.map(({ kind, sinceMs }) => [kind, sinceMs])).toEqual([
    ['deposit', 10],
    ['withdrawal', 20],
    ['ticket', 30],
    ['adjustment', 40],
    ['withdrawal', 50],
  ]);
});

it('leaves out requests that only another person can confirm, with their withdrawals', () => {
  const withdrawals = [at<Withdrawal>('w', 10)];
  const payout = requestAt(20, { kind: 'payout', withdrawalId: 'w', requestedBy: 'olga' });
  const waitingFor = (request: WaitingRequest, viewer: string) =>
    firstWaiting({ ...none, withdrawals, requests: [request] }, viewer);
  expect(waitingFor({ ...payout, isOwn: true }, 'olga')).toEqual([]);
  expect(waitingFor({ ...payout, isOwn: false }, 'paul')).toEqual([]);
  expect(waitingFor({ ...payout, isOwn: false }, 'admin')).toMatchObject([{ id: 'w', requestedBy: 'olga' }]);
  const requests = [requestAt(20, { isOwn: true }), requestAt(30, { isOwn: false })];
  expect(firstWaiting({ ...none, requests }, 'admin')).toMatchObject([{ kind: 'adjustment', sinceMs: 30 }]);
  expect(firstWaiting({ ...none, requests }, 'paul')).toEqual([]);
});
