import type { Power } from '../../../../contracts/ids.js';
import { deltaOf, describeDeleted, describeDeletion, describeNewBalance } from './gamer-actions.js';

it.each([
  ['-3.00', 2_460, { cents: -300, problem: null }],
  ['0.29', 0, { cents: 29, problem: null }],
  ['', 2_460, { cents: 0, problem: null }],
  ['-24.61', 2_460, { problem: 'The adjustment would take a balance below zero' }],
  ['x', 0, { problem: 'Dollars and cents, such as -3.00' }],
])('an adjustment typed as %j to a balance of %d cents', (text, balanceCents, delta) => {
  expect(deltaOf(text, balanceCents)).toMatchObject(delta);
});

it('an adjustment is described by the balance before and after', () => {
  expect(describeNewBalance(2_460, deltaOf('-3', 2_460))).toBe('$24.60 to $21.60');
  expect(describeNewBalance(17_652, deltaOf('', 17_652))).toBe('$176.52 stays');
});

const ada = {
  id: 'abc',
  gamerTag: 'ada_west',
  email: 'ada@example.com',
  isDepositor: true,
  depositorExpiresAt: null,
  powers: [] as Power[],
  sponsor: null,
  purchaseBalance: 2_460,
  currentWinnings: 17_652,
  role: 'gamer',
} as const;

describe('the description of a deletion', () => {
  it('says so when the gamer has no money', () => {
    const penniless = { ...ada, purchaseBalance: 0, currentWinnings: 0 };
    expect(describeDeletion(penniless)[1]).toBe('They have no balance.');
    expect(describeDeletion({ ...ada, purchaseBalance: 0 })[1]).toContain(
      '$0.00 purchase balance and $176.52 winnings',
    );
  });

  it('counts the gamers who moved in the matrix, afterwards', () => {
    expect(describeDeleted('ada_west', 0)).toBe('ada_west was deleted. Nobody moved in the matrix.');
    expect(describeDeleted('ada_west', 1)).toBe('ada_west was deleted. 1 gamer moved in the matrix.');
  });
});
