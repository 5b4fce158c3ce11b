import type { GenealogyResponse } from '../../../../contracts/http/matrix.js';
import { levelsOf } from './levels.js';

const data: Pick<GenealogyResponse, 'levelCounts' | 'levelWinnings'> = {
  levelCounts: { 1: 3, 2: 9, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0 },
  levelWinnings: {
    level1Cents: 1_842,
    level2Cents: 3_106,
    level3Cents: 0,
    level4Cents: 0,
    level5Cents: 0,
    level6Cents: 0,
    level7Cents: 0,
    directBonusCents: 12,
  },
};

describe('the levels of a matrix', () => {
  it('are seven, each with its count, capacity and winnings', () => {
    const levels = levelsOf(data);
    expect(levels.map((l) => l.capacity)).toEqual([3, 9, 27, 81, 243, 729, 2_187]);
    expect(levels[0]).toEqual({ number: 1, count: 3, capacity: 3, winningsCents: 1_842 });
  });

  it('count every gamer, also those that a long level does not list', () => {
    expect(levelsOf(data)[1]?.count).toBe(9);
  });
});
