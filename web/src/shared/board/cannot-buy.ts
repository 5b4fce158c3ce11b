import type { GamePhase, GameState } from '../../../../contracts/http/game.js';
import { refusalText } from '../../../../contracts/messages.js';

const codes: Partial<Record<GamePhase, 'game-pregame' | 'game-downtime' | 'game-idle'>> = {
  pregame: 'game-pregame',
  downtime: 'game-downtime',
  idle: 'game-idle',
};

/** Why nothing can be bought in this phase (specification §5, buy tokens); null while it can. */
export function cannotBuyText(board: Pick<GameState, 'gameState' | 'isActive'> | null): string | null {
  if (board?.gameState === 'live' && board.isActive) return null;
  return refusalText({ code: (board && codes[board.gameState]) ?? 'no-active-game' });
}
