import { BOARD_PURCHASES } from '../../../../contracts/limits.js';
import { useBoard, useCannotBuy } from '../board.js';
import { formatCents } from '../format.js';
import { useMyId } from '../session.queries.js';
import { useStore } from '../store.js';
import { Button, PageLink, VerifyLink } from '../ui/controls.js';
import { Countdown } from '../ui/countdown.js';
import { WINNINGS_ID } from '../ui/go-to.js';
import { Notice } from '../ui/notice.js';
import { latePurchase, overtakenText } from './quantity.js';

/** The content of a dialog for buying between two rounds: the winner, the outcome of the gamer's own purchase, and the next game. */
export default function RoundOver({ wasOpen, onClose }: { wasOpen: boolean; onClose: () => void }) {
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
