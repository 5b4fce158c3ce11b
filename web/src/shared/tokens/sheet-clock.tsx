import { useState } from 'react';
import { useBoard, useBoardPart } from '../board.js';
import { LAST_SECONDS, useSecondsLeft } from '../clock.js';
import { useMyId } from '../session.queries.js';
import { Countdown } from '../ui/countdown.js';
import { lazy } from '../ui/lazy.js';
import { wasOvertaken } from './quantity.js';
import './tokens.css';

export const RoundOver = lazy(() => import('./round-over.js'), 'the result', 3);
export const ROUND_OVER = 'The round is over';

/** Whether there is a result instead of a round to buy in, and whether the dialog was already open when the round ended. */
export function useRoundOver(open: boolean): { isRoundOver: boolean; wasOpen: boolean } {
  const isRoundOver = useBoardPart((board) => board.gameState === 'downtime' && board.lastResult !== null) ?? false;
  const [wasOpen, setWasOpen] = useState(false);
  const isOpenSinceLive = open && (wasOpen || !isRoundOver);
  if (wasOpen !== isOpenSinceLive) setWasOpen(isOpenSinceLive);
  return { isRoundOver, wasOpen };
}

/** The round's clock and last buyer in a dialog for buying, as alarmed in the last seconds as the stage. */
export function SheetClock() {
  const { data: board } = useBoard();
  const myId = useMyId();
  const secondsLeft = useSecondsLeft(board?.endsAtEpochMs ?? null, LAST_SECONDS + 1);
  if (board?.gameState === 'pregame' && board.endsAtEpochMs !== null)
    return (
      <p className="sheet-clock sheet-clock--pre">
        <Countdown endsAtEpochMs={board.endsAtEpochMs} />
        <span>until the game is live</span>
      </p>
    );
  if (!board?.isActive || board.endsAtEpochMs === null || secondsLeft === null) return null;
  const { lastBuyerId, lastBuyerGamerTag } = board;
  const isOvertaken = wasOvertaken(board, myId);
  return (
    <div className={`sheet-clock ${secondsLeft <= LAST_SECONDS ? 'sheet-clock--last' : ''}`}>
      <Countdown endsAtEpochMs={board.endsAtEpochMs} />
      <span>
        <span>{secondsLeft === 0 ? 'Round being decided. Last buyer ' : 'Last buyer '}</span>
        <b>{lastBuyerId === myId ? 'You' : (lastBuyerGamerTag ?? 'nobody yet')}</b>
      </span>
      <p role="status" className={isOvertaken ? 'bad' : 'sr'}>
        {isOvertaken && `${lastBuyerGamerTag} bought after you.`}
      </p>
    </div>
  );
}
