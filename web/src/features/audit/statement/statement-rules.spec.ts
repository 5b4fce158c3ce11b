import { firstStatement, statementProblem } from './statement-rules.js';

const draft = { account: 'jackpot' as const, gamer: '', from: '2025-10-01', to: '2025-10-14' };

it('begins with the last thirty days of the jackpot', () => {
  expect(firstStatement(Date.UTC(2025, 9, 15, 1))).toEqual({
    account: 'jackpot',
    from: '2025-09-15',
    to: '2025-10-14',
  });
});

describe('a statement that is asked for', () => {
  it('is of days in their order, a year of them at most', () => {
    expect(statementProblem(draft)).toBeNull();
    expect(statementProblem({ ...draft, to: '2025-10-01' })).toBeNull();
    for (const days of [{ from: '' }, { to: '' }, { from: '2025-10-15' }, { from: '2024-10-13' }, { to: '2025-02-30' }])
      expect(statementProblem({ ...draft, ...days })?.field).toBe('days');
  });

  it('is of somebody, where the account is a gamer’s', () => {
    expect(statementProblem({ ...draft, account: 'winnings', gamer: ' ' })?.field).toBe('gamer');
    expect(statementProblem({ ...draft, account: 'winnings', gamer: 'ada_west' })).toBeNull();
  });
});
