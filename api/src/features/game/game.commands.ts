import type { LedgerEvent } from '../../../../contracts/events/ledger-events.js';
import type { StartLiveResponse } from '../../../../contracts/http/game.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { RoundId } from '../../../../contracts/ids.js';
import type { TimerSettings } from '../../../../contracts/limits.js';
import type { CommandResult } from '../../ledger/command-queue.js';
import { ledgerCommand } from '../../ledger/ledger-command.js';

export const StartGame = ledgerCommand(
  'StartGame',
  (_command, result): MessageResponse => ({ message: `Round ${roundOf(result, 'GameStarted')} is starting` }),
);

export const ForceStartLive = ledgerCommand('ForceStartLive', (_command, result): StartLiveResponse => {
  const roundId = roundOf(result, 'LiveStarted');
  return { message: `Round ${roundId} is live for 5 minutes`, roundId };
});

export const ResetGame = ledgerCommand('ResetGame', (): MessageResponse => ({ message: 'The game is idle' }));

export const ChangeTimers = ledgerCommand('ChangeTimers', ({ timers }): TimerSettings => timers);

function roundOf({ events }: CommandResult, type: 'GameStarted' | 'LiveStarted'): RoundId {
  const event = events.map((recorded): LedgerEvent => recorded.event).find((one) => one.type === type);
  if (event?.type !== type) throw new Error(`the command was accepted without ${type}`);
  return event.data.roundId;
}
