import type { RefObject } from 'react';
import { useBoard } from '../../shared/board/board.queries.js';
import { useSecondsLeft } from '../../shared/clock/use-seconds-left.js';
import { addedText, clockText } from '../../shared/format/clock-text.js';
import { isDown, useConnection } from '../../shared/live/connection.js';
import { LAST_SECONDS } from './stage-view.js';
import { useIsAway } from './use-is-away.js';

interface DockProps {
  stageRef: RefObject<HTMLElement | null>;
  onJoin: (() => void) | null;
  neverBuys: string | null;
}

/** While the game is live and the stage out of sight: its clock and its one action, at the edge of the window. */
export function Dock({ stageRef, onJoin, neverBuys }: DockProps) {
  const isAway = useIsAway(stageRef);
  const { data: board } = useBoard();
  const secondsLeft = useSecondsLeft(board?.endsAtEpochMs ?? null);
  const isLost = isDown(useConnection());
  if (!isAway || !board?.isActive || secondsLeft === null) return null;
  const clockLook = isLost ? 'faint' : secondsLeft <= LAST_SECONDS ? 'bad' : 'time';
  return (
    <aside className="dock" aria-label="Live game">
      <div className="dock-row">
        <b className={`num ${clockLook}`} role="timer" aria-label={`Time remaining ${clockText(secondsLeft)}`}>
          {clockText(secondsLeft)}
        </b>
        <span>
          Last buyer <br />
          <b>{board.lastBuyerGamerTag ?? 'Nobody yet'}</b>
        </span>
        {neverBuys === null && (
          <button
            type="button"
            className="btn btn--buy"
            disabled={isLost || onJoin === null}
            onClick={onJoin ?? undefined}
          >
            Buy time <span className="plus">{addedText(board.timers.tokenExtensionSeconds)}</span>
          </button>
        )}
      </div>
    </aside>
  );
}
