import { adjustBalance, setDepositorStatus, transferWinnings } from './balances.js';
import { approveDeposit, creditDeposit, recordDeposit, rejectDeposit, settleInvoice } from './deposits.js';
import { enrolGamer, enrolHouse } from './enrolment.js';
import type { CommandContext, Decision, LedgerCommand } from './ledger-commands.js';
import type { LedgerState } from './ledger-state.js';
import { buyTokens } from './purchases.js';
import { removeGamer } from './removal.js';
import { advanceClock, changeTimers, forceStartLive, resetGame, startGame } from './rounds.js';
import { requestProfitWithdrawal, requestWithdrawal, updateProfitWithdrawal, updateWithdrawal } from './withdrawals.js';

/** What a command does to the ledger as it stands: events, or a refusal. Pure; reads `state`, changes nothing. */
export function decide(state: LedgerState, command: LedgerCommand, context: CommandContext): Decision {
  switch (command.type) {
    case 'EnrolHouse':
      return enrolHouse(state, command.gamerId);
    case 'EnrolGamer':
      return enrolGamer(state, command.gamerId, command.sponsorId);
    case 'StartGame':
      return startGame(state, context.at);
    case 'ForceStartLive':
      return forceStartLive(state, context.at);
    case 'ResetGame':
      return resetGame(state, command.reason, context.at);
    case 'ChangeTimers':
      return changeTimers(command.timers);
    case 'AdvanceClock':
      return advanceClock(state, context.at, command.lastAliveAtEpochMs);
    case 'BuyTokens':
      return buyTokens(state, command, context);
    case 'TransferWinnings':
      return transferWinnings(state, command);
    case 'AdjustBalance':
      return adjustBalance(state, command);
    case 'SetDepositorStatus':
      return setDepositorStatus(state, command, context.at);
    case 'CreditDeposit':
      return creditDeposit(state, command, context);
    case 'RecordDeposit':
      return recordDeposit(state, command, context);
    case 'ApproveDeposit':
      return approveDeposit(state, command, context);
    case 'RejectDeposit':
      return rejectDeposit(state, command);
    case 'SettleInvoice':
      return settleInvoice(state, command, context);
    case 'RequestWithdrawal':
      return requestWithdrawal(state, command, context);
    case 'UpdateWithdrawal':
      return updateWithdrawal(state, command);
    case 'RequestProfitWithdrawal':
      return requestProfitWithdrawal(state, command, context);
    case 'UpdateProfitWithdrawal':
      return updateProfitWithdrawal(state, command);
    case 'RemoveGamer':
      return removeGamer(state, command.gamerId);
  }
}
