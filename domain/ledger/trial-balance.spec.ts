import { TRIAL_BALANCE_ACCOUNTS } from '../../contracts/http/audit.js';
import { bought, enrolledGamers, funded, gameStarted, liveStarted, T0, timersChanged } from '../testing/events.js';
import { postings } from './postings.js';
import { addToTrialBalance, emptyTrialBalance } from './trial-balance.js';

it('lists every account, in order', () => {
  expect(Object.entries(emptyTrialBalance().accounts)).toEqual(TRIAL_BALANCE_ACCOUNTS.map((account) => [account, 0]));
  expect(emptyTrialBalance().round).toBeNull();
});

it('holds the round’s state', () => {
  const trialBalance = emptyTrialBalance();
  const after = (...events: Parameters<typeof addToTrialBalance>[1][]) => {
    for (const event of events) addToTrialBalance(trialBalance, event, postings(event));
    return trialBalance.round;
  };
  expect(after(...enrolledGamers(), funded('bob', 60))).toBeNull();
  expect(after(gameStarted(1, T0))).toEqual({ roundId: 1, phase: 'pregame', endsAtEpochMs: T0 });
  expect(after(liveStarted(1, T0 + 9))).toEqual({ roundId: 1, phase: 'live', endsAtEpochMs: T0 + 9 });
  const live = after(...bought('p1', 'bob', { jackpotCents: 13, balanceCents: 30, endsAtEpochMs: T0 + 39 }));
  expect(live).toEqual({ roundId: 1, phase: 'live', endsAtEpochMs: T0 + 39 });
  const end = { roundId: 1, winner: null, jackpotCents: 13, endedAtEpochMs: T0 + 39, nextRoundAtEpochMs: T0 + 50 };
  const ended = after({ type: 'RoundEnded', data: { ...end, purchaseCount: 1 } }, timersChanged({}));
  expect(ended).toEqual({ roundId: 1, phase: 'downtime', endsAtEpochMs: T0 + 50 });
  expect(
    after({ type: 'GameReset', data: { roundId: null, carriedCents: 13, reason: '', purchaseCount: 1 } }),
  ).toBeNull();
});
