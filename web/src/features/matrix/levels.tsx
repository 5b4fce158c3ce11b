import type { GenealogyResponse, LevelNumber } from '../../../../contracts/http/matrix.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { LEVEL_CAPACITIES } from '../../../../contracts/limits.js';
import { useApi } from '../../shared/api/api-client.js';
import { formatCents, numberText } from '../../shared/format.js';

export const useGenealogy = (id: GamerId) =>
  useApi<GenealogyResponse>(['/api', 'genealogy', id], { refreshOn: ['winnings:updated'] });

export const emptyLevels = LEVEL_CAPACITIES.map((capacity, place) => ({
  number: place + 1,
  count: 0,
  capacity,
  winningsCents: 0,
}));
export type Level = (typeof emptyLevels)[number];

export const levelsOf = (tree: Pick<GenealogyResponse, 'levelCounts' | 'levelWinnings'>): Level[] =>
  emptyLevels.map((level) => {
    const number = `${level.number}` as LevelNumber;
    return { ...level, count: tree.levelCounts[number], winningsCents: tree.levelWinnings[`level${number}Cents`] };
  });

export const LevelList = ({ levels }: { levels: Level[] }) => (
  <ol className="levels">
    {levels.map(({ number, count, capacity, winningsCents }) => (
      <li key={number}>
        <b>L{number}</b>
        <span className="bar" aria-hidden="true">
          <i style={{ width: `${Math.min(100, (count / capacity) * 100)}%` }} />
        </span>
        <span className="n num">{`${numberText(count)} of ${numberText(capacity)}`}</span>
        <span className={`m num ${winningsCents > 0 ? 'won' : 'faint'}`}>{formatCents(winningsCents)}</span>
      </li>
    ))}
  </ol>
);
