import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { Actor } from '../contracts/events/metadata.js';
import { type GamerId, POWERS, type Power } from '../contracts/ids.js';
import type { PlainRefusalCode } from '../contracts/refusals.js';
import { isLastBuyer } from './game.js';
import { accept, type Decider, type LedgerCommand, refuse } from './ledger/ledger-commands.js';
import type { LedgerState } from './ledger/ledger-state.js';

/*
 * Staff (decisions 47 and 50) see rivals' balances while the clock runs, so they neither buy, earn nor withdraw. The live round's
 * last buyer cannot become staff, because the jackpot may be theirs. The ledger decides each command of an operator by the
 * powers at that time, so a command that was admitted before a power was taken is refused.
 */
export const setStaffStatus: Decider<'SetStaffStatus'> = (state, { gamerId, isStaff, powers }) => {
  if (!state.gamers.has(gamerId)) return refuse({ code: 'gamer-not-found' });
  if (gamerId === state.adminId) return refuse({ code: 'admin-role-is-fixed' });
  const isStaffNow = hasStaffStatus(state, gamerId);
  if (isStaff && !isStaffNow && isLastBuyer(state.game, gamerId)) return refuse({ code: 'gamer-is-last-buyer' });
  const status: LedgerEvent[] = isStaffNow === isStaff ? [] : [{ type: 'StaffStatusSet', data: { gamerId, isStaff } }];
  const newPowers = powersSetEvents(state, gamerId, isStaff ? powers : []);
  // Powers end before the staff status: only staff have any.
  return isStaff ? accept(...status, ...newPowers) : accept(...newPowers, ...status);
};

/** Null before the first enrolment. */
export const adminOf = ({ adminId }: LedgerState): GamerId | null => adminId;

export const hasStaffStatus = ({ staff }: LedgerState, gamerId: GamerId): boolean => staff.has(gamerId);

/** Empty for a gamer who is not an operator. */
export const powersOf = ({ powers }: LedgerState, gamerId: GamerId): readonly Power[] => powers.get(gamerId) ?? [];

function powersSetEvents(state: LedgerState, gamerId: GamerId, wanted?: readonly Power[]): LedgerEvent[] {
  if (wanted === undefined) return [];
  const powers = POWERS.filter((power) => wanted.includes(power));
  const isSame = powers.join() === powersOf(state, gamerId).join();
  return isSame ? [] : [{ type: 'PowersSet', data: { gamerId, powers } }];
}

/** The power that an operator needs for a command; `admin`: no operator may send it. Commands that are not listed come from a gamer or the system. */
const REQUIRED_POWERS: Partial<Record<LedgerCommand['type'], Power | 'admin'>> = {
  StartGame: 'game',
  ForceStartLive: 'game',
  ResetGame: 'game',
  ChangeTimers: 'game',
  ScheduleGame: 'game',
  CancelSchedule: 'game',
  AdjustBalance: 'money',
  SetDepositorStatus: 'money',
  ApproveDeposit: 'money',
  RejectDeposit: 'money',
  UpdateWithdrawal: 'money',
  OrderPayouts: 'money',
  SettlePayout: 'money',
  ReleasePayouts: 'money',
  RequestProfitWithdrawal: 'admin',
  UpdateProfitWithdrawal: 'admin',
  SetStaffStatus: 'admin',
  RemoveGamer: 'admin',
};

/** The refusal of an operator's command that needs a power the operator lacks, or moves the operator's own money; else null. */
export function powerRefusal(state: LedgerState, command: LedgerCommand, { id, role }: Actor): PlainRefusalCode | null {
  const required = REQUIRED_POWERS[command.type];
  if (role !== 'operator' || required === undefined) return null;
  if (required === 'admin' || !powersOf(state, id).includes(required)) return 'power-missing';
  return moneyOwnersOf(state, command).includes(id) ? 'power-not-for-oneself' : null;
}

/** The gamers whose money or status a command of the power `money` changes. */
function moneyOwnersOf({ deposits, withdrawals }: LedgerState, command: LedgerCommand): (GamerId | null | undefined)[] {
  switch (command.type) {
    case 'AdjustBalance':
    case 'SetDepositorStatus':
      return [command.gamerId];
    case 'ApproveDeposit':
      return [command.gamerId ?? deposits.get(command.depositId)?.gamerId];
    case 'UpdateWithdrawal':
      return [withdrawals.get(command.withdrawalId)?.gamerId];
    case 'OrderPayouts':
      return command.payouts.map(({ withdrawalId }) => withdrawals.get(withdrawalId)?.gamerId);
    default:
      return [];
  }
}
