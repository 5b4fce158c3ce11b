import type { LevelGamer } from '../../../../contracts/http/gamers.js';
import { counted } from '../../shared/format/clock-text.js';
import { Dialog } from '../../shared/ui/dialog.js';
import type { OpenedGamer } from './genealogy-dialog.js';
import type { Level } from './levels.js';

interface LevelDialogProps {
  /** Null while it is closed. */
  level: Level | null;
  gamers: LevelGamer[];
  onClose: () => void;
  onViewTree: (gamer: OpenedGamer) => void;
}

/** Who sits on one level. Opens over the explorer; Back returns to it. */
export function LevelDialog({ level, gamers, onClose, onViewTree }: LevelDialogProps) {
  const title =
    level === null
      ? ''
      : `Level ${level.number}, ${level.count.toLocaleString('en-US')} of ${level.capacity.toLocaleString('en-US')}`;
  return (
    <Dialog open={level !== null} onOpenChange={(open) => !open && onClose()} title={title}>
      {gamers.length === 0 ? (
        <p className="empty">No gamers on this level yet</p>
      ) : (
        <ul className="rows level-rows">
          {gamers.map((gamer) => (
            <li key={gamer.id} className="level-row">
              <span>
                <b>{gamer.username}</b>
                {gamer.isDirect && <span className="you">Direct</span>}
                <span className="t14 dim block">team of {gamer.teamSize.toLocaleString('en-US')}</span>
              </span>
              <button
                type="button"
                className="btn btn--text"
                aria-label={`View tree of ${gamer.username}`}
                onClick={() => onViewTree(gamer)}
              >
                View tree
              </button>
            </li>
          ))}
        </ul>
      )}
      {level !== null && gamers.length < level.count && (
        <p className="t14 dim">
          The first {counted(gamers.length, 'gamer')}, left to right. The others are found in the tree.
        </p>
      )}
      <div className="actions">
        <button type="button" className="btn btn--line" onClick={onClose}>
          Back
        </button>
      </div>
    </Dialog>
  );
}
