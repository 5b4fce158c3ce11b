import { cannotBuyText } from '../../shared/board.js';
import { stageView } from './stage-view.js';

const NO_GAME = 'No active game. Please wait for the next round.';

const board = (gameState: string, isActive = gameState === 'live') => ({ gameState: gameState as 'live', isActive });

describe('the texts of the stage', () => {
  it.each([
    ['idle', 'Game Ready to Start', 'JOIN NOW', 'Game is not active yet. Please wait for the next round.'],
    ['pregame', 'Game Starting Soon', 'GET READY TO JOIN', 'Game is starting soon. Please wait for the live phase.'],
    ['live', 'LIVE GAME NOW ACTIVE', 'JOIN LIVE GAME NOW', null],
    ['downtime', 'Game Ended - Next Round Soon', 'JOIN NOW', 'Game has ended. Please wait for the next round.'],
    ['paused', 'Game Status Unknown', 'JOIN NOW', NO_GAME],
  ])('in %s: %s', (phase, status, callToAction, cannotBuy) => {
    expect(stageView(board(phase), 90, false)).toMatchObject({ status, shownStatus: status, callToAction });
    expect(cannotBuyText(board(phase))).toBe(cannotBuy);
  });

  it('say that the game is loading without a board', () => {
    expect(stageView(null, null, false)).toMatchObject({ status: 'Loading Game Status' });
    expect(cannotBuyText(null)).toBe(NO_GAME);
    expect(cannotBuyText(board('live', false))).toBe(NO_GAME);
  });

  it('show a separate text in the last ten seconds and keep the status for screen readers', () => {
    expect(stageView(board('live'), 11, false)).toMatchObject({ mood: 'live' });
    expect(stageView(board('live'), 10, false)).toMatchObject({
      mood: 'last',
      shownStatus: 'LAST SECONDS',
      status: 'LIVE GAME NOW ACTIVE',
    });
  });

  it('say after zero that the round is being decided', () => {
    expect(stageView(board('live', false), 0, false).shownStatus).toBe('ROUND BEING DECIDED');
    expect(stageView(board('live', false), 0, true).shownStatus).toBe('LIVE GAME, LAST SEEN');
  });

  it('mark the clock as approximate while the connection is down', () => {
    expect(stageView(board('live'), 90, true)).toMatchObject({
      shownStatus: 'LIVE GAME, LAST SEEN',
      clockLabel: 'TIME REMAINING, ABOUT',
    });
    expect(stageView(board('downtime'), 90, true).clockLabel).toBe('PREGAME BEGINS IN, ABOUT');
    expect(stageView(board('live'), 90, false, true)).toMatchObject({
      shownStatus: 'LIVE GAME NOW ACTIVE',
      clockLabel: 'TIME REMAINING, ABOUT',
    });
    expect(stageView(board('idle'), null, true).clockLabel).toBe('TIME REMAINING');
  });
});
