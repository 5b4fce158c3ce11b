import { Plus } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { useBoard } from '../../shared/board.js';
import { useSecondsLeft } from '../../shared/clock.js';
import { addedText, clockText, numberText } from '../../shared/format.js';
import { isDown, useConnection } from '../../shared/live/live-events.js';
import type { StageProps } from './game-panel.js';
import { LAST_SECONDS } from './stage-view.js';

/** The clock and the buy button at the window's edge, while the game is live and the stage's own are not both in view. */
export function Dock({ stageRef, onJoin, neverBuys, again }: StageProps) {
  const isAway = useIsAway(stageRef);
  const { data: board } = useBoard();
  const secondsLeft = useSecondsLeft(board?.endsAtEpochMs ?? null);
  const isLost = isDown(useConnection());
  if (!isAway || !board?.isActive || secondsLeft === null) return null;
  const clockClass = isLost ? 'faint' : secondsLeft <= LAST_SECONDS ? 'bad' : 'time';
  return (
    <aside className="dock" aria-label="Live game">
      <div className="dock-row">
        <b
          className={`num ${clockClass} ${secondsLeft >= 3_600 ? 'is-long' : ''}`}
          role="timer"
          aria-label={`Time remaining ${clockText(secondsLeft)}`}
        >
          {clockText(secondsLeft)}
        </b>
        <span>
          <span className="dock-wide">
            Last buyer <br />
          </span>
          <b>{board.lastBuyerGamerTag ?? 'Nobody yet'}</b>
        </span>
        {neverBuys === null && (
          <span className="dock-buy">
            {again !== null && !isLost && (
              <button
                type="button"
                className="btn btn--buy"
                aria-label={`Buy ${numberText(again.quantity)} again, ${addedText(again.addedSeconds)}`}
                disabled={again.isPending}
                onClick={again.buy}
              >
                <span className="dock-wide">Buy</span> {numberText(again.quantity)} again{' '}
                <span className="plus dock-wide">{addedText(again.addedSeconds)}</span>
              </button>
            )}
            <BuyTime isShort={again !== null && !isLost} disabled={isLost || onJoin === null} onPress={onJoin}>
              <span className="plus">{addedText(board.timers.tokenExtensionSeconds)}</span>
            </BuyTime>
          </span>
        )}
      </div>
    </aside>
  );
}

interface BuyTimeProps {
  /** Shows a symbol only, next to the button that buys the same again. */
  isShort: boolean;
  disabled: boolean;
  onPress: (() => void) | null;
  children: ReactNode;
}

function BuyTime({ isShort, disabled, onPress, children }: BuyTimeProps) {
  return (
    <button
      type="button"
      className={isShort ? 'iconbtn' : 'btn btn--buy'}
      aria-label={isShort ? 'Buy time' : undefined}
      disabled={disabled}
      onClick={onPress ?? undefined}
    >
      {isShort ? <Plus size={20} aria-hidden="true" /> : <>Buy time {children}</>}
    </button>
  );
}

/** Less of the clock or the button than this counts as out of view. */
const SEEN_SHARE = 0.9;

/** True while the stage's clock or its button, which are marked with `data-docked`, is out of view. */
function useIsAway(stage: RefObject<HTMLElement | null>): boolean {
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    const away = new Set<Element>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, intersectionRatio } of entries)
          if (intersectionRatio < SEEN_SHARE) away.add(target);
          else away.delete(target);
        setIsAway(away.size > 0);
      },
      { threshold: SEEN_SHARE },
    );
    for (const element of stage.current?.querySelectorAll('[data-docked]') ?? []) observer.observe(element);
    return () => observer.disconnect();
  }, [stage]);
  return isAway;
}
