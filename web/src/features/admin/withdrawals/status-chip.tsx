import type { WithdrawalStatus } from '../../../../../contracts/http/withdrawals.js';
import { statusNames } from './settlement.js';

const looks: Record<WithdrawalStatus, string> = {
  pending: 'chip chip--half',
  processing: 'chip chip--on',
  completed: 'chip chip--on',
  returned: 'chip',
};

/** Green is money paid to a gamer; the house's own is not. */
export function StatusChip({ status, isGamers = true }: { status: WithdrawalStatus; isGamers?: boolean }) {
  const look = status === 'completed' && isGamers ? 'chip chip--won' : looks[status];
  return <span className={look}>{statusNames[status]}</span>;
}
