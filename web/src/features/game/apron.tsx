import { type CSSProperties, type ReactNode, useState } from 'react';
import type { GameState, RoundResult } from '../../../../contracts/http/game.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import { useServerNow } from '../../shared/clock.js';
import { addedText, agoText, clockText, counted, dateTimeText, durationText, numberText } from '../../shared/format.js';
import { useStore } from '../../shared/store.js';
import { letterKeys } from '../../shared/ui/hooks.js';
import { Notice } from '../../shared/ui/notice.js';
import type { StageView } from './stage-view.js';
import type { DemoFrame } from './use-demo.js';

/** The gamer's last purchase, for one press. */
export interface AgainOffer {
  quantity: number;
  addedSeconds: number;
  isPending: boolean;
  buy: () => void;
}

interface ApronProps {
  board: GameState | null;
  view: StageView;
  secondsLeft: number | null;
  isLost: boolean;
  myId: GamerId | null;
  onJoin: (() => void) | null;
  /** The reason why this gamer may not buy at all, as a sentence: the admin, or an exclusion. Null for all others. */
  neverBuys: string | null;
  again: AgainOffer | null;
  /** A purchase was sent, and its outcome is not known yet. */
  isBuying: boolean;
  shareWin: (result: RoundResult) => ReactNode;
  remind: ((join: ReactNode) => ReactNode) | null;
  demo: DemoFrame | null;
  /** Shown at the bottom: the purchase balance, or that the board could not be loaded. */
  children: ReactNode;
}

export function Apron(props: ApronProps) {
  const { board, view, myId, shareWin, demo, children } = props;
  const paid = view.mood === 'downtime' && board?.lastResult?.winner ? board.lastResult : null;
  const jackpotCents = paid?.jackpotCents ?? board?.jackpotCents;
  const lastWon = view.mood === 'idle' && board?.lastResult?.winner ? board.lastResult : null;
  const wonLabel = paid ? 'Winner' : 'Last winner';
  const buyerLabel = paid || lastWon ? wonLabel : 'Last buyer';
  const jackpot = jackpotCents === undefined ? null : formatCents(jackpotCents);
  return (
    <div className="apron">
      <div className="jackpot">
        <p className="label">{paid ? `Round ${paid.roundId} paid` : 'Jackpot'}</p>
        <b className={`num ${paid ? 'won' : ''}`} style={{ '--characters': jackpot?.length ?? 1 } as CSSProperties}>
          {jackpot ?? <span className="faint">—</span>}
        </b>
      </div>
      <div className="lastbuyer">
        <p className="label">{demo ? 'Demonstration' : buyerLabel}</p>
        {demo && <DemoLine {...demo} />}
        {!demo && paid && (
          <>
            <WinnerLine result={paid} />
            {paid.winner?.id === myId && shareWin(paid)}
          </>
        )}
        {!demo && lastWon && <LastWinner result={lastWon} />}
        {!demo && !paid && !lastWon && <LastBuyer {...props} />}
      </div>
      <Action {...props} />
      {children}
    </div>
  );
}

const DemoLine = ({ lastBuyer, caption }: DemoFrame) => (
  <>
    <b>{lastBuyer ?? 'Nobody yet'}</b>
    <p className="t14 dim" aria-live="polite">
      {caption}
    </p>
  </>
);

const LastWinner = ({ result: { winner, jackpotCents, roundId, endedAtEpochMs } }: { result: RoundResult }) => (
  <>
    <b className="won">{winner?.gamerTag}</b>
    <p className="t14 dim">
      Won {formatCents(jackpotCents)} in round {roundId}, {dateTimeText(endedAtEpochMs)}.
    </p>
  </>
);

function WinnerLine({ result }: { result: RoundResult }) {
  const now = useServerNow();
  const isRecent = now - result.endedAtEpochMs < 60_000;
  return (
    <>
      <b className="won">{result.winner?.gamerTag}</b>
      <p className="t14 dim">
        {isRecent ? 'Just now' : dateTimeText(result.endedAtEpochMs)}. {lastTokenText(result.tokenCount)}
      </p>
    </>
  );
}

const lastTokenText = (tokens: number): string =>
  tokens === 1 ? 'The only token of the round.' : `The last of ${counted(tokens, 'token')}.`;

function LastBuyer({ board, view, secondsLeft, isLost, myId }: ApronProps) {
  const now = useServerNow();
  if (board === null || view.mood === 'loading' || view.mood === 'unknown') {
    return (
      <>
        <b className="faint">—</b>
        {/* Keeps the height of the text that will replace it. */}
        <p className="t14">&nbsp;</p>
      </>
    );
  }
  if (board.lastBuyerId === null || view.mood === 'idle' || view.mood === 'pregame') {
    return (
      <>
        <b>{view.mood === 'downtime' ? 'Nobody bought' : 'Nobody yet'}</b>
        <p className="t14 dim">{nobodyText(board, view)}</p>
      </>
    );
  }
  const isYou = board.lastBuyerId === myId;
  const boughtAt = board.purchases[0]?.ts ?? now;
  return (
    <>
      <b>
        <span>{board.lastBuyerGamerTag ?? 'Someone'}</span>
        {isYou && <span className="you">You</span>}
      </b>
      <p className="t14 dim">{buyerText(view, secondsLeft, isLost, agoText(boughtAt, now), isYou)}</p>
    </>
  );
}

function nobodyText(board: GameState, view: StageView): string {
  if (view.mood === 'pregame')
    return `Round ${board.roundId ?? ''} opens with ${clockText(board.timers.liveDurationSeconds)} on the clock.`;
  if (view.mood === 'downtime') return 'The jackpot carries over to the next round.';
  return board.jackpotCents > 0 ? 'Carried over from the previous round.' : 'The first token starts the jackpot.';
}

function buyerText(view: StageView, secondsLeft: number | null, isLost: boolean, ago: string, isYou: boolean): string {
  if (isLost) return `Last known: ${ago}.`;
  if (view.mood === 'downtime') return 'The result is on its way.';
  if (view.mood === 'last') {
    if (secondsLeft === 0) return 'Time is up. The round is being decided.';
    return `${isYou ? 'You win' : 'Wins'} in ${counted(secondsLeft ?? 0, 'second')} if nobody else buys.`;
  }
  return `${ago}. ${isYou ? 'You win' : 'Wins'} it all if nobody else buys.`;
}

/** On a small phone the line with the gamer's session would cover it. */
const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

function Action({ board, view, isLost, onJoin, neverBuys, again, isBuying, remind }: ApronProps) {
  const isLetterOn = useStore(letterKeys);
  const [refusedIn, setRefusedIn] = useState<string | null>(null);
  const isLive = view.cannotBuy === null;
  const extension = board?.terms.tokenExtensionSeconds ?? 0;
  const phase = `${view.mood} ${board?.roundId ?? ''}`;
  const wasRefused = refusedIn === phase && !isLive;
  const blocked = isLost || neverBuys !== null || view.mood === 'loading';
  const press = () => {
    if (blocked || onJoin === null) return;
    setRefusedIn(phase);
    onJoin();
  };
  const join = (
    <button
      type="button"
      className={`btn btn--big ${isLive && !blocked ? 'btn--buy' : 'btn--line justify-center'}`}
      aria-disabled={blocked || onJoin === null || undefined}
      aria-keyshortcuts={isLetterOn ? 'B' : undefined}
      onClick={press}
    >
      <span>{view.callToAction}</span>
      {isLive && !blocked && <span className="plus num">{addedText(extension)}</span>}
    </button>
  );
  const isWaiting = view.mood === 'idle' || view.mood === 'downtime';
  return (
    <div className="apron-act">
      <div className="grid" data-docked="button">
        {isWaiting && !blocked && remind !== null ? remind(join) : join}
      </div>
      {again !== null && !blocked && <BuyAgain {...again} />}
      {wasRefused && (
        <div ref={intoView}>
          <Notice tone="bad" title="Cannot Purchase Now" urgent text={view.cannotBuy} />
        </div>
      )}
      {!wasRefused && isBuying && <p className="t14">Your purchase is under way. Its outcome will be shown here.</p>}
      {!wasRefused && !isBuying && <p className="t14 dim">{actionText(board, view, isLost, neverBuys)}</p>}
    </div>
  );
}

function BuyAgain({ quantity, addedSeconds, isPending, buy }: AgainOffer) {
  return (
    <button
      type="button"
      className="btn btn--line justify-between"
      aria-disabled={isPending || undefined}
      onClick={buy}
    >
      <span>{isPending ? 'Buying…' : `Buy ${numberText(quantity)} again`}</span>
      <span className="plus num">{addedText(addedSeconds)}</span>
    </button>
  );
}

function actionText(board: GameState | null, view: StageView, isLost: boolean, neverBuys: string | null): string {
  if (neverBuys !== null) return neverBuys;
  if (view.mood === 'loading' && !isLost) return 'Loading the current round.';
  if (isLost) return 'You can buy again once the connection is back. Nothing was lost or charged twice.';
  if (board && view.mood === 'downtime') return nextGameText(board);
  if (board && view.mood === 'idle')
    return `The next round starts with ${clockText(board.timers.liveDurationSeconds)} on the clock.`;
  if (board === null || view.cannotBuy !== null) return view.cannotBuy ?? '';
  const { tokenPriceCents, tokenExtensionSeconds } = board.terms;
  return `One token costs ${formatCents(tokenPriceCents)} and lights one lamp: ${durationText(tokenExtensionSeconds)} more with your name on it.`;
}

function nextGameText({ endsAtEpochMs, timers }: GameState): string {
  const later = `Its clock starts ${durationText(timers.pregameDurationSeconds)} later.`;
  return endsAtEpochMs === null
    ? later
    : `The next game begins ${dateTimeText(endsAtEpochMs)}, New York time. ${later}`;
}
