import type { GameState } from '../../../../contracts/http/game.js';
import { LAST_SECONDS } from '../../shared/clock.js';

export type Mood = 'loading' | 'unknown' | 'idle' | 'pregame' | 'live' | 'last' | 'downtime';

export const isKnown = (mood: Mood): boolean => mood !== 'loading' && mood !== 'unknown';
export const isLit = (mood: Mood): boolean => mood === 'live' || mood === 'last';

export type StageView = ReturnType<typeof stageView>;

type Board = Pick<GameState, 'gameState' | 'isActive'>;

export function stageView(board: Board | null, seconds: number | null, isLost: boolean, isApproximate = isLost) {
  const mood = moodOf(board, seconds);
  const isLive = isLit(mood);
  const status = statuses[mood];
  const soon = mood === 'pregame' ? 'GET READY TO JOIN' : 'JOIN NOW';
  return {
    mood,
    /** The specification's text for the phase (§4). */
    status,
    /** The text on screen, which differs in the last seconds and while the connection is down. */
    shownStatus: isLive ? liveStatus(seconds, isLost, status) : status,
    clockLabel: clockLabel(mood, isApproximate),
    callToAction: isLive ? 'JOIN LIVE GAME NOW' : soon,
  };
}

/** Purchases that arrived before zero are still decided for a moment after it (decision 41). */
function liveStatus(secondsLeft: number | null, isLost: boolean, status: string): string {
  if (isLost) return 'LIVE GAME, LAST SEEN';
  if (secondsLeft === 0) return 'ROUND BEING DECIDED';
  return secondsLeft !== null && secondsLeft <= LAST_SECONDS ? 'LAST SECONDS' : status;
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
  if (board.gameState === 'live') return secondsLeft !== null && secondsLeft <= LAST_SECONDS ? 'last' : 'live';
  return board.gameState in statuses ? board.gameState : 'unknown';
}

function clockLabel(mood: Mood, isApproximate: boolean): string {
  const label = mood === 'downtime' ? 'PREGAME BEGINS IN' : 'TIME REMAINING';
  return isApproximate && mood !== 'idle' ? `${label}, ABOUT` : label;
}

/** Time at which the stage's clock reaches zero: the phase's end, or the planned start. */
export const countsDownTo = (board: GameState | null): number | null =>
  board?.endsAtEpochMs ?? board?.plan?.startsAtMs ?? null;

export const stageClass = (mood: Mood, isLost: boolean): string =>
  `hero ${isLost && mood !== 'idle' ? 'hero--lost' : (moodClasses[mood] ?? 'hero--dark hero--idle')}`;

const moodClasses: Partial<Record<Mood, string>> = {
  live: '',
  last: 'hero--last',
  pregame: 'hero--pre',
  downtime: 'hero--dark',
};

export function drawClock(clock: HTMLElement, text: string): void {
  const [digits] = clock.children;
  const parts = text.split(':').flatMap((part, place) => (place === 0 ? [part] : [colon(), part]));
  digits?.replaceChildren(...parts);
  clock.setAttribute('aria-label', `Time remaining ${text}`);
  clock.classList.toggle('clock--long', parts.length > 3);
  clock.style.setProperty('--characters', `${text.length}`);
}

const colon = () => Object.assign(document.createElement('i'), { textContent: ':' });
