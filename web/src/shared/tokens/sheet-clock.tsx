import { useBoard } from '../board.js';
import { useSecondsLeft } from '../clock.js';
import { clockText } from '../format.js';
import './tokens.css';

/** The clock and the last buyer for dialogs, which hide the stage on a phone. */
export function SheetClock() {
  const { data: board } = useBoard();
  const secondsLeft = useSecondsLeft(board?.endsAtEpochMs ?? null);
  if (!board?.isActive || secondsLeft === null) return null;
  return (
    <p className="sheet-clock" aria-hidden="true">
      <b className="num">{clockText(secondsLeft)}</b>
      <span>
        Last buyer <b>{board.lastBuyerGamerTag ?? 'nobody yet'}</b>
      </span>
    </p>
  );
}
