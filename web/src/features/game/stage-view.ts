import type { GameState } from '../../../../contracts/http/game.js';
import { cannotBuyText } from '../../shared/board/cannot-buy.js';

/** Below this the stage goes dark and red. */
export const LAST_SECONDS = 10;

export type Mood = 'loading' | 'unknown' | 'idle' | 'pregame' | 'live' | 'last' | 'downtime';

export interface StageView {
  mood: Mood;
  /** The specification's words for the phase (§4). */
  status: string;
  /** What stands there instead, when the moment has its own words. */
  shownStatus: string;
  clockLabel: string;
  callToAction: string;
  /** Why nothing can be bought now; null while the game is live. */
  cannotBuy: string | null;
}

type Board = Pick<GameState, 'gameState' | 'isActive'>;

/** What the stage says, from the board (null: none yet), the seconds left, and whether the connection is down. */
export function stageView(board: Board | null, secondsLeft: number | null, isLost: boolean): StageView {
  const mood = moodOf(board, secondsLeft);
  const isLive = mood === 'live' || mood === 'last';
  const status = statuses[mood];
  return {
    mood,
    status,
    shownStatus: isLive && isLost ? 'LIVE GAME, LAST SEEN' : mood === 'last' ? 'LAST SECONDS' : status,
    clockLabel: clockLabel(mood, isLost),
    callToAction: isLive ? 'JOIN LIVE GAME NOW' : mood === 'pregame' ? 'GET READY TO JOIN' : 'JOIN NOW',
    cannotBuy: cannotBuyText(board),
  };
}

const statuses: Record<Mood, string> = {
  loading: 'Loading Game Status',
  unknown: 'Game Status Unknown',
  idle: 'Game Ready to Start',
  pregame: 'Game Starting Soon',
  live: 'LIVE GAME NOW ACTIVE',
  last: 'LIVE GAME NOW ACTIVE',
  downtime: 'Game Ended - Next Round Soon',
};

function moodOf(board: Board | null, secondsLeft: number | null): Mood {
  if (board === null) return 'loading';
  switch (board.gameState) {
    case 'live':
      return secondsLeft !== null && secondsLeft <= LAST_SECONDS ? 'last' : 'live';
    case 'idle':
    case 'pregame':
    case 'downtime':
      return board.gameState;
    default:
      return 'unknown';
  }
}

function clockLabel(mood: Mood, isLost: boolean): string {
  const label = mood === 'downtime' ? 'NEXT GAME IN' : 'TIME REMAINING';
  return isLost && mood !== 'idle' ? `${label}, ABOUT` : label;
}
