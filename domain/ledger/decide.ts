import * as deposits from '../deposits.js';
import * as gamers from '../gamers.js';
import * as historyLoss from '../history-loss.js';
import * as exclusions from '../protection-exclusions.js';
import * as playLimits from '../protection-limits.js';
import * as purchases from '../purchases.js';
import * as rounds from '../rounds.js';
import * as staff from '../staff.js';
import * as winnings from '../winnings.js';
import * as withdrawals from '../withdrawals.js';
import { type CommandContext, type Decider, type Decision, type LedgerCommand, refuse } from './ledger-commands.js';
import type { LedgerState } from './ledger-state.js';

const deciders: { [T in LedgerCommand['type']]: Decider<T> } = {
  EnrolAdmin: gamers.enrolAdmin,
  EnrolGamer: gamers.enrolGamer,
  RemoveGamer: gamers.removeGamer,
  StartGame: rounds.startGame,
  ForceStartLive: rounds.forceStartLive,
  ResetGame: rounds.resetGame,
  ChangeTimers: rounds.changeTimers,
  ScheduleGame: rounds.scheduleGame,
  CancelSchedule: rounds.cancelSchedule,
  AdvanceClock: rounds.advanceClock,
  BuyTokens: purchases.buyTokens,
  TransferWinnings: winnings.transferWinnings,
  AdjustBalance: winnings.adjustBalance,
  SetDepositorStatus: winnings.setDepositorStatus,
  SetStaffStatus: staff.setStaffStatus,
  CreditDeposit: deposits.creditDeposit,
  RecordDeposit: deposits.recordDeposit,
  ApproveDeposit: deposits.approveDeposit,
  RejectDeposit: deposits.rejectDeposit,
  SettleInvoice: deposits.settleInvoice,
  RequestWithdrawal: withdrawals.requestWithdrawal,
  CancelWithdrawal: withdrawals.cancelWithdrawal,
  UpdateWithdrawal: withdrawals.updateWithdrawal,
  OrderPayouts: withdrawals.orderPayouts,
  RecordPayoutOutcome: withdrawals.recordPayoutOutcome,
  RequestProfitWithdrawal: withdrawals.requestProfitWithdrawal,
  UpdateProfitWithdrawal: withdrawals.updateProfitWithdrawal,
  ExcludeGamer: exclusions.excludeGamer,
  ShareExclusion: exclusions.shareExclusion,
  LiftExclusion: exclusions.liftExclusion,
  ReleaseBalance: exclusions.releaseBalance,
  SetLimits: playLimits.setLimits,
  ConfirmLimits: playLimits.confirmLimits,
  SetProtectionProfile: playLimits.setProtectionProfile,
  AcceptLoss: historyLoss.acceptLoss,
  SettlePayout: historyLoss.settlePayout,
  ReleasePayouts: historyLoss.releasePayouts,
};

export function decide(state: LedgerState, command: LedgerCommand, context: CommandContext): Decision {
  const code = staff.powerRefusal(state, command, context.actor);
  if (code !== null) return refuse({ code });
  return (deciders[command.type] as Decider<LedgerCommand['type']>)(state, command, context);
}
