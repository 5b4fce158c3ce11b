import type { GenealogyResponse, LevelNumber } from '../../../../contracts/http/gamers.js';
import { LEVEL_CAPACITIES } from '../../../../contracts/limits.js';

export interface Level {
  number: number;
  count: number;
  capacity: number;
  winningsCents: number;
}

/** The seven levels, from the front row back. */
export function levelsOf({
  levels,
  levelCounts,
  levelWinnings,
}: Pick<GenealogyResponse, 'levels' | 'levelCounts' | 'levelWinnings'>): Level[] {
  return LEVEL_CAPACITIES.map((capacity, place) => {
    const number = `${place + 1}` as LevelNumber;
    const count = levelCounts?.[number] ?? levels[number]?.length ?? 0;
    return { number: place + 1, count, capacity, winningsCents: levelWinnings[`level${number}Cents`] ?? 0 };
  });
}
