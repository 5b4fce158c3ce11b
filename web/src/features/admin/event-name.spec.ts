import { eventName } from './event-name.js';

describe('the name of an event', () => {
  it('is written as words', () => {
    expect(['BalanceAdjusted', 'AdminSignedIn', 'GameReset', 'Moved'].map(eventName)).toEqual([
      'Balance adjusted',
      'Admin signed in',
      'Game reset',
      'Moved',
    ]);
  });
});
