import type { PendingDeposit } from '../../../../contracts/http/payments.js';
import type { AdminTicket } from '../../../../contracts/http/support.js';
import type { Withdrawal } from '../../../../contracts/http/withdrawals.js';
import { firstWaiting } from './waiting.js';

const at = <Row>(id: string, createdAt: number): Row => ({ id, createdAt }) as Row;

it('puts the longest wait of all three lists first', () => {
  const queue = firstWaiting({
    withdrawals: [at<Withdrawal>('w-new', 50), at<Withdrawal>('w-old', 20)],
    deposits: [at<PendingDeposit>('d', 10)],
    tickets: [at<AdminTicket>('t', 30)],
  });
  expect(queue.map(({ kind, row }) => [kind, row.id])).toEqual([
    ['deposit', 'd'],
    ['withdrawal', 'w-old'],
    ['ticket', 't'],
    ['withdrawal', 'w-new'],
  ]);
});
