import { approveDeposit, creditDeposit, recordDeposit, rejectDeposit, settleInvoice } from '../deposits.js';
import { enrolAdmin, enrolGamer, removeGamer } from '../gamers.js';
import { acceptLoss, releasePayouts, settlePayout } from '../losses.js';
import { excludeGamer, liftExclusion, releaseBalance, shareExclusion } from '../protection-exclusions.js';
import { confirmLimits, setLimits, setProtectionProfile } from '../protection-limits.js';
import { buyTokens } from '../purchases.js';
import { advanceClock, changeTimers, forceStartLive, resetGame, startGame } from '../rounds.js';
import { powerRefusal, setStaffStatus } from '../staff.js';
import { adjustBalance, setDepositorStatus, transferWinnings } from '../winnings.js';
import {
  cancelWithdrawal,
  requestProfitWithdrawal,
  requestWithdrawal,
  updateProfitWithdrawal,
  updateWithdrawal,
} from '../withdrawals.js';
import { type CommandContext, type Decider, type Decision, type LedgerCommand, refuse } from './ledger-commands.js';
import type { LedgerState } from './ledger-state.js';

const deciders: { [T in LedgerCommand['type']]: Decider<T> } = {
  EnrolAdmin: enrolAdmin,
  EnrolGamer: enrolGamer,
  StartGame: startGame,
  ForceStartLive: forceStartLive,
  ResetGame: resetGame,
  ChangeTimers: changeTimers,
  AdvanceClock: advanceClock,
  BuyTokens: buyTokens,
  TransferWinnings: transferWinnings,
  AdjustBalance: adjustBalance,
  SetDepositorStatus: setDepositorStatus,
  SetStaffStatus: setStaffStatus,
  CreditDeposit: creditDeposit,
  RecordDeposit: recordDeposit,
  ApproveDeposit: approveDeposit,
  RejectDeposit: rejectDeposit,
  SettleInvoice: settleInvoice,
  RequestWithdrawal: requestWithdrawal,
  CancelWithdrawal: cancelWithdrawal,
  UpdateWithdrawal: updateWithdrawal,
  RequestProfitWithdrawal: requestProfitWithdrawal,
  UpdateProfitWithdrawal: updateProfitWithdrawal,
  ExcludeGamer: excludeGamer,
  ShareExclusion: shareExclusion,
  LiftExclusion: liftExclusion,
  ReleaseBalance: releaseBalance,
  SetLimits: setLimits,
  ConfirmLimits: confirmLimits,
  SetProtectionProfile: setProtectionProfile,
  RemoveGamer: removeGamer,
  AcceptLoss: acceptLoss,
  SettlePayout: settlePayout,
  ReleasePayouts: releasePayouts,
};

/** Decides a command: returns its events or a refusal. */
export function decide(state: LedgerState, command: LedgerCommand, context: CommandContext): Decision {
  const code = powerRefusal(state, command, context.actor);
  if (code !== null) return refuse({ code });
  return (deciders[command.type] as Decider<LedgerCommand['type']>)(state, command, context);
}
