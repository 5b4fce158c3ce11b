import { deletedText, deletionTexts, isConfirmed, roleText } from './gamer-words.js';

const ada = {
  id: 'abc',
  gamerTag: 'ada_west',
  email: 'ada@example.com',
  isDepositor: true,
  depositorExpiresAt: null,
  purchaseBalance: 2_460,
  currentWinnings: 17_652,
  role: 'gamer',
} as const;

describe('the words before a deletion', () => {
  it('name the account, the money, the matrix, and that it is final', () => {
    const [account, money, matrix, end] = deletionTexts(ada);
    expect(account).toContain('ada_west’s account');
    expect(money).toBe('Their $24.60 purchase balance and $176.52 winnings are forfeited to the house.');
    expect(matrix).toContain('first child');
    expect(end).toContain('cannot be undone');
  });

  it('speak of no money where there is none', () => {
    expect(deletionTexts({ ...ada, purchaseBalance: 0, currentWinnings: 0 })[1]).toBe('They have no money here.');
    expect(deletionTexts({ ...ada, purchaseBalance: 0 })[1]).toContain('$0.00 purchase balance and $176.52 winnings');
  });

  it('ask for the tag, letter for letter', () => {
    expect(['ada_west', ' ada_west ', 'ADA_WEST', 'ada', ''].map((typed) => isConfirmed(typed, 'ada_west'))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('the words after one', () => {
  it('count who moved', () => {
    expect(deletedText('ada_west', 0)).toBe('ada_west is gone. Nobody had to move in the matrix.');
    expect(deletedText('ada_west', 1)).toBe('ada_west is gone. 1 gamer moved in the matrix.');
    expect(deletedText('ada_west', 3)).toBe('ada_west is gone. 3 gamers moved in the matrix.');
  });
});

describe('the words about a role', () => {
  it('say what is seen, and what is not touched', () => {
    expect(roleText('auditor', 'ada_west')).toContain('reads the audit screens: every event, account and statement');
    expect(roleText('gamer', 'ada_west')).toContain('is no auditor any more');
  });
});
