import type { CSSProperties } from 'react';
import { formatCents } from '../../../../contracts/money.js';
import type { Level } from './levels.js';

/** Level by level: how full it is, and what it has paid. */
export function LevelList({ levels }: { levels: Level[] }) {
  return (
    <ol className="levels">
      {levels.map(({ number, count, capacity, winningsCents }) => (
        <li key={number}>
          <b>L{number}</b>
          <span className="bar" aria-hidden="true">
            <i style={{ width: `${Math.min(100, (count / capacity) * 100)}%` } as CSSProperties} />
          </span>
          <span className="n num">
            {count.toLocaleString('en-US')} of {capacity.toLocaleString('en-US')}
          </span>
          <span className={`m num ${winningsCents > 0 ? 'won' : 'faint'}`}>{formatCents(winningsCents)}</span>
        </li>
      ))}
    </ol>
  );
}
