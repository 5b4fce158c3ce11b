import { depositorStatus } from './depositor.js';

const until = Date.UTC(2025, 10, 1, 16);

describe('depositor status', () => {
  it('is active up to the expiry itself, days rounded up', () => {
    const gamer = { isDepositor: true, depositorExpiresAt: until };
    expect(depositorStatus(gamer, until - 17.5 * 86_400_000)).toEqual({
      state: 'active',
      daysLeft: 18,
      until: 'Nov 01, 2025',
    });
    expect(depositorStatus(gamer, until).state).toBe('active');
    expect(depositorStatus(gamer, until + 1)).toEqual({ state: 'expired', since: 'Nov 01, 2025' });
  });

  it('is expired when it was switched off', () => {
    expect(depositorStatus({ isDepositor: false, depositorExpiresAt: until }, until - 1).state).toBe('expired');
  });

  it('never was', () => {
    expect(depositorStatus({ isDepositor: false, depositorExpiresAt: null }, until)).toEqual({ state: 'never' });
  });
});
