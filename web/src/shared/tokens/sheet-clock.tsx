import { useBoard } from '../board.js';
import { Countdown } from '../ui/countdown.js';
import './tokens.css';

export function SheetClock() {
  const { data: board } = useBoard();
  if (!board?.isActive || board.endsAtEpochMs === null) return null;
  return (
    <p className="sheet-clock" aria-hidden="true">
      <Countdown className="num" endsAtEpochMs={board.endsAtEpochMs} />
      <span>
        Last buyer <b>{board.lastBuyerGamerTag ?? 'nobody yet'}</b>
      </span>
    </p>
  );
}
