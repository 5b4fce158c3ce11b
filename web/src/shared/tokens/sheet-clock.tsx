import { useBoard } from '../board/board.queries.js';
import { useSecondsLeft } from '../clock/use-seconds-left.js';
import { clockText } from '../format/clock-text.js';
import './tokens.css';

/** On a phone the sheet hides the stage: its clock comes along. */
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
