import { formatCents } from '../../../../contracts/money.js';
import type { Level } from './levels.js';

/** What each level has paid, as arches side by side. The list beside it has the same in figures. */
export function LevelWinnings({ levels }: { levels: Level[] }) {
  const highest = Math.max(...levels.map(({ winningsCents }) => winningsCents));
  if (highest <= 0) return null;
  const said = levels.map(({ number, winningsCents }) => `level ${number} ${formatCents(winningsCents)}`).join(', ');
  return (
    <figure className="level-winnings">
      <figcaption>
        <h3>Winnings per level</h3>
      </figcaption>
      <div className="arches" role="img" aria-label={`Winnings: ${said}`}>
        {levels.map(({ number, winningsCents }) => (
          <span key={number} title={`Level ${number}: ${formatCents(winningsCents)}`}>
            <i
              className={winningsCents > 0 ? '' : 'is-none'}
              style={{ height: `${(winningsCents / highest) * 100}%` }}
            />
            <b>L{number}</b>
          </span>
        ))}
      </div>
    </figure>
  );
}
