import type { GameState, StateResponse } from '../../contracts/http/game.js';
import { countsDownTo, drawClock, isKnown, stageClass, stageView } from './features/game/stage-view.js';
import { addClockSample, watchSeconds } from './shared/clock.js';
import { clockText } from './shared/format.js';

/*
 * Counts down on index.html's first paint until main.tsx renders. A script of its own, with few imports, because the
 * page's whole code takes seconds on a slow network.
 */

/** The board on the first paint; null on pages without a stage, and until it is fetched. */
export let firstBoard: GameState | null = null;

const find = (selector: string) => document.querySelector<HTMLElement>(selector);

const clock = find('[inert] .clock');
// main.tsx fetches the board again after a failure, and shows that failure.
if (clock) showBoard(clock).catch(console.warn);

async function showBoard(clock: HTMLElement): Promise<void> {
  const response = await fetch('/api/state');
  const { currentGame: board }: StateResponse = await response.json();
  // index.html preloads the state: the request was sent before this script ran, and after the page was opened.
  const sentAtMonotonicMs = performance.getEntriesByName(response.url)[0]?.startTime ?? 0;
  addClockSample(sentAtMonotonicMs, performance.now(), board.serverTimeEpochMs);
  if (!clock.isConnected) return;
  firstBoard = board;
  const stop = watchSeconds(countsDownTo(board), (seconds) => {
    if (!clock.isConnected) return stop();
    const { mood, shownStatus, clockLabel } = stageView(board, seconds, false);
    find('.onair span')?.replaceChildren(shownStatus);
    if (!isKnown(mood)) return;
    find('.clock-label')?.replaceChildren(clockLabel);
    clock.firstElementChild?.removeAttribute('class');
    drawClock(clock, clockText(seconds ?? 0));
    clock.closest('.hero')?.setAttribute('class', stageClass(mood, false));
  });
}
