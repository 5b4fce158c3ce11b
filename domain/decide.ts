import { adjustBalance, setDepositorStatus, transferWinnings } from './balances.js';
import { enrolGamer, enrolHouse } from './enrolment.js';
import type { CommandContext, Decision, LedgerCommand } from './ledger-commands.js';
import type { LedgerState } from './ledger-state.js';
import { buyTokens } from './purchases.js';
import { advanceClock, changeTimers, forceStartLive, resetGame, startGame } from './rounds.js';

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
      return resetGame(state, command.reason);
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
  }
}
