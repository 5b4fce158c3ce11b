import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { Actor } from '../contracts/events/metadata.js';
import type { GamerId } from '../contracts/ids.js';

/**
 * Checks who caused an event: a gamer their own purchases, transfers and withdrawals, the admin everything that needs an
 * admin, the system what time and payments bring. Only the matrix's root is the admin.
 */
export function actorFaults(event: LedgerEvent, actor: Actor, adminId: GamerId | null): string[] {
  const { id, role } = actor;
  const faults: string[] = [];
  if ((role === 'system') !== (id === 'system')) faults.push(`was caused by ${id} as ${role}`);
  if (role === 'admin' && adminId !== null && id !== adminId) faults.push(`was caused by ${id}, who is not the admin`);
  const due = dueActor(event);
  if (!due.some((one) => isDue(one, actor)))
    faults.push(`was caused by ${id} as ${role}, and not by ${due.map(nameOf).join(' or ')}`);
  return faults;
}

/** A gamer by id, who may be an auditor too. */
type Due = 'admin' | 'system' | { gamer: GamerId };

const isDue = (due: Due, { id, role }: Actor): boolean =>
  typeof due === 'string' ? role === due : id === due.gamer && (role === 'gamer' || role === 'auditor');

const nameOf = (due: Due): string => (typeof due === 'string' ? `the ${due}` : `the gamer ${due.gamer}`);

function dueActor({ type, data }: LedgerEvent): Due[] {
  switch (type) {
    case 'GamerEnrolled':
      return data.parentId === null ? ['admin'] : [{ gamer: data.gamerId }];
    case 'TokenPurchased':
      return data.source === 'invoice' ? ['system'] : [{ gamer: data.buyerId }];
    // Its purchase, of the same command, has been checked.
    case 'TimeExtended':
      return ['system', { gamer: data.buyerId }];
    case 'WinningsTransferred':
    case 'WithdrawalRequested':
    case 'GamerExcluded':
    case 'LimitsSet':
    case 'LimitsConfirmed':
    case 'ExclusionLifted':
    case 'BalanceReleased':
      return [{ gamer: data.gamerId }];
    // When a gamer may: withdrawals.ts.
    case 'WithdrawalReturned':
      return ['admin', { gamer: data.gamerId }];
    case 'LiveStarted':
      return data.forced ? ['admin'] : ['system'];
    case 'GameStarted':
    case 'DepositApproved':
      return ['system', 'admin'];
    case 'LiveResumed':
    case 'RoundEnded':
    case 'DepositRecorded':
    case 'InvoiceCredited':
      return ['system'];
    // The system makes auditors of earlier versions staff; only the admin ends it.
    case 'StaffStatusSet':
      return data.isStaff ? ['system', 'admin'] : ['admin'];
    case 'GameReset':
    case 'TimersChanged':
    case 'DepositorStatusSet':
    case 'BalanceAdjusted':
    case 'DepositRejected':
    case 'WithdrawalProcessing':
    case 'WithdrawalCompleted':
    case 'ProfitWithdrawalRequested':
    case 'ProfitWithdrawalCompleted':
    case 'ProfitWithdrawalReturned':
    case 'GamerRemoved':
      return ['admin'];
  }
}
