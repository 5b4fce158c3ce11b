import { useState } from 'react';
import { BOARD_PURCHASES } from '../../../../contracts/limits.js';
import { useBoard, useBoardPart, useCannotBuy } from '../board.js';
import { LAST_SECONDS, useSecondsLeft } from '../clock.js';
import { formatCents } from '../format.js';
import { useMyId } from '../session.queries.js';
import { useStore } from '../store.js';
import { Button, PageLink, VerifyLink } from '../ui/controls.js';
import { Countdown } from '../ui/countdown.js';
import { WINNINGS_ID } from '../ui/go-to.js';
import { Notice } from '../ui/notice.js';
import { latePurchase, overtakenText, wasOvertaken } from './quantity.js';
import './tokens.css';

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

/** The content of a dialog for buying between two rounds: the winner, the outcome of the gamer's own purchase, and the next game. */
export function RoundOver({ wasOpen, onClose }: { wasOpen: boolean; onClose: () => void }) {
  const { data: board } = useBoard();
  const myId = useMyId();
  const late = useStore(latePurchase);
  const closed = useCannotBuy();
  const result = board?.lastResult;
  if (!board || !result) return null;
  const isWinner = result.winner !== null && result.winner.id === myId;
  const unbought = board.purchases.length < BOARD_PURCHASES ? 'You did not buy in this round.' : null;
  const isLate = late?.roundId === result.roundId;
  const own = isLate ? late.text : (overtakenText(board, myId) ?? unbought);
  return (
    <div className="grid gap-4" role="status">
      <p className="h3">
        <span>{result.winner === null ? 'Nobody bought' : `${isWinner ? 'You' : result.winner.gamerTag} won `}</span>
        {result.winner && <span className="num won">{formatCents(result.jackpotCents)}</span>}
        <span>{` in round ${result.roundId}.`}</span>
      </p>
      {isWinner ? <p>The prize is in My Winnings.</p> : own !== null && <p>{own}</p>}
      {isLate && <VerifyLink className="underline" search={{ late: `${result.roundId}` }} text="Check this refusal" />}
      {wasOpen ? <p className="dim">{closed}</p> : <Notice tone="time" title="Cannot Purchase Now" text={closed} />}
      {board.endsAtEpochMs !== null && (
        <p className="dim">
          Pregame begins in <Countdown endsAtEpochMs={board.endsAtEpochMs} />.
        </p>
      )}
      <div className="actions">
        {isWinner && (
          <PageLink className="btn btn--act" to="/" hash={WINNINGS_ID} text="See My Winnings" onClick={onClose} />
        )}
        <Button text="Close" onClick={onClose} />
      </div>
    </div>
  );
}
