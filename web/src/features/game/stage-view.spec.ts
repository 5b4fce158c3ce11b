import { cannotBuyText } from '../../shared/board.js';
import { stageView } from './stage-view.js';

const NO_GAME = 'No active game. Please wait for the next round.';

const board = (gameState: string, isActive = gameState === 'live') => ({ gameState: gameState as 'live', isActive });

it.each([
  ['idle', 'Game Ready to Start', 'JOIN NOW', 'Game is not active yet. Please wait for the next round.'],
  ['pregame', 'Game Starting Soon', 'GET READY TO JOIN', 'Game is starting soon. Please wait for the live phase.'],
  ['live', 'LIVE GAME NOW ACTIVE', 'JOIN LIVE GAME NOW', null],
  ['downtime', 'Game Ended - Next Round Soon', 'JOIN NOW', 'Game has ended. Please wait for the next round.'],
  ['paused', 'Game Status Unknown', 'JOIN NOW', NO_GAME],
])('the texts of the stage in %s: %s', (phase, status, callToAction, cannotBuy) => {
  expect(stageView(board(phase), 90, false)).toMatchObject({ status, shownStatus: status, callToAction });
  expect(cannotBuyText(board(phase))).toBe(cannotBuy);
});

it('without a board the game is loading', () => {
  expect(stageView(null, null, false).status).toBe('Loading Game Status');
  expect([cannotBuyText(null), cannotBuyText(board('live', false))]).toEqual([NO_GAME, NO_GAME]);
});

const ABOUT = 'TIME REMAINING, ABOUT';

it.each([
  ['eleven seconds left', stageView(board('live'), 11, false), { mood: 'live', shownStatus: 'LIVE GAME NOW ACTIVE' }],
  ['ten', stageView(board('live'), 10, false), { shownStatus: 'LAST SECONDS', status: 'LIVE GAME NOW ACTIVE' }],
  ['zero', stageView(board('live', false), 0, false), { shownStatus: 'ROUND BEING DECIDED' }],
  ['no connection', stageView(board('live'), 0, true), { shownStatus: 'LIVE GAME, LAST SEEN', clockLabel: ABOUT }],
  ['no clock', stageView(board('live'), 90, false, true), { clockLabel: ABOUT }],
  ['downtime', stageView(board('downtime'), 90, true), { clockLabel: 'PREGAME BEGINS IN, ABOUT' }],
  ['idle', stageView(board('idle'), null, true), { clockLabel: 'TIME REMAINING' }],
])('the stage tells %s', (_, view, shown) => expect(view).toMatchObject(shown));
