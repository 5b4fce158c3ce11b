import { useEffect, useState } from 'react';
import { useBoard } from '../../shared/board.js';
import { LAST_SECONDS, useSecondsLeft } from '../../shared/clock.js';
import { addedText, formatCents, numberText } from '../../shared/format.js';
import { isDown, useConnection } from '../../shared/live/live-events.js';
import { Button } from '../../shared/ui/controls.js';
import { Countdown } from '../../shared/ui/countdown.js';
import { useBuyAgain } from '../purchases/use-purchase.js';
import type { StageProps } from './apron.js';

/** Prize and last buyer at the window's edge, with the part of the live stage that is out of view: its clock, its button, or both. */
export default function Dock({ onJoin, neverBuys }: StageProps) {
  const again = useBuyAgain();
  const outOfView = useOutOfView();
  const { data: board } = useBoard();
  const secondsLeft = useSecondsLeft(board?.endsAtEpochMs ?? null, LAST_SECONDS + 1);
  const isLost = isDown(useConnection());
  if (!outOfView.clock && !outOfView.button) return null;
  if (!board?.isActive || board.endsAtEpochMs === null || secondsLeft === null) return null;
  const isTimeUp = secondsLeft === 0;
  const isShort = again !== null && !isLost;
  const added = <span className="plus">{addedText(board.terms.tokenExtensionSeconds)}</span>;
  const sameAgain = again && (
    <span className="num">
      {`Buy ${numberText(again.quantity)}`}
      <span className="dock-wide"> again</span>
      {` · ${formatCents(again.costCents)}`}
    </span>
  );
  return (
    <aside className="dock" aria-label="Live game">
      <div className="dock-row">
        {outOfView.clock && (
          <Countdown className={secondsLeft <= LAST_SECONDS ? 'bad' : 'time'} endsAtMs={board.endsAtEpochMs} />
        )}
        <span>
          <span className="dock-label">Jackpot </span>
          <b className="num">{formatCents(board.jackpotCents)}</b> <br />
          <span className="dock-label">Last buyer </span>
          <span>{board.lastBuyerGamerTag ?? 'Nobody yet'}</span>
        </span>
        {neverBuys === null && outOfView.button && (
          <span className="dock-buy">
            {isShort && <Button kind="buy" text={sameAgain} blocked={again.isBusy || isTimeUp} onClick={again.buy} />}
            <Button
              kind={isShort ? 'line' : 'buy'}
              text={isShort ? 'More' : <>Buy tokens {added}</>}
              aria-label={isShort ? 'More: buy tokens' : undefined}
              disabled={isLost || isTimeUp || onJoin === null}
              onClick={onJoin ?? undefined}
            />
          </span>
        )}
      </div>
    </aside>
  );
}

const DOCK_HEIGHT_PX = 72;
/** Less of the clock or the button than this counts as out of view. */
const IN_VIEW_SHARE = 0.9;

/** Watches the stage's clock and button, which their attribute `data-docked` names. */
function useOutOfView(): { clock: boolean; button: boolean } {
  const [outOfView, setOutOfView] = useState({ clock: false, button: false });
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const changed = entries.map(({ target, intersectionRatio }) => [
          (target as HTMLElement).dataset.docked,
          intersectionRatio < IN_VIEW_SHARE,
        ]);
        setOutOfView((before) => ({ ...before, ...Object.fromEntries(changed) }));
      },
      // While the dock is there for the clock, a button below it is out of view too.
      { threshold: IN_VIEW_SHARE, rootMargin: `0px 0px -${outOfView.clock ? DOCK_HEIGHT_PX : 0}px` },
    );
    for (const element of document.querySelectorAll('[data-docked]')) observer.observe(element);
    return () => observer.disconnect();
  }, [outOfView.clock]);
  return outOfView;
}
