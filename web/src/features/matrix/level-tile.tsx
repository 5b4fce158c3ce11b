import { formatCents } from '../../../../contracts/money.js';
import { counted } from '../../shared/format/clock-text.js';
import type { Level } from './levels.js';

/** Count large, capacity, winnings, and the way in, which is closed while nobody is there. */
export function LevelTile({ level, onView }: { level: Level; onView: () => void }) {
  const { number, count, capacity, winningsCents } = level;
  const isEmpty = count === 0;
  return (
    <button
      type="button"
      className="tile"
      disabled={isEmpty}
      aria-label={`Level ${number}: ${counted(count, 'gamer')} of ${capacity.toLocaleString('en-US')}, ${formatCents(winningsCents)} won. ${isEmpty ? 'Nobody here yet' : 'Click to view'}`}
      onClick={onView}
    >
      <span className="tile-cap num">
        <span>Level {number}</span>
        <span>
          L{number}={capacity.toLocaleString('en-US')}
        </span>
      </span>
      <span className="fig num">{count.toLocaleString('en-US')}</span>
      <span className={`t14 num ${winningsCents > 0 ? 'won' : ''}`}>{formatCents(winningsCents)}</span>
      <span className="tile-go">{isEmpty ? 'Nobody here yet' : 'Click to view'}</span>
    </button>
  );
}
