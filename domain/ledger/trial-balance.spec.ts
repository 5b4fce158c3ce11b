import { TRIAL_BALANCE_ACCOUNTS } from '../../contracts/http/audit.js';
import { emptyTrialBalance } from './trial-balance.js';

it('lists every account, in order', () => {
  expect(Object.entries(emptyTrialBalance().accounts)).toEqual(TRIAL_BALANCE_ACCOUNTS.map((account) => [account, 0]));
  expect(emptyTrialBalance().round).toBeNull();
});
