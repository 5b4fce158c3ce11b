import { type CSSProperties, type ReactNode, type RefObject, useState } from 'react';
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

export interface AgainOffer {
  quantity: number;
  addedSeconds: number;
  isPending: boolean;
  buy: () => void;
}

export interface StageProps {
  stageRef: RefObject<HTMLElement | null>;
  onJoin: (() => void) | null;
  /** The reason for an account that may never buy; null for gamers and visitors. */
  neverBuys: string | null;
  again: AgainOffer | null;
  /** A purchase was sent, and its outcome is not known yet. */
  isBuying: boolean;
}

export interface GamePanelProps extends StageProps {
  myId: GamerId | null;
  shareWin: (result: RoundResult) => ReactNode;
  /** The button for a reminder, in place of a button that only refuses; null for visitors and where there are no reminders. */
  remind: ((join: ReactNode) => ReactNode) | null;
  winners: ReactNode;
  balance: ReactNode;
}

interface ApronProps extends Omit<GamePanelProps, 'stageRef' | 'winners'> {
  board: GameState | null;
  view: StageView;
  secondsLeft: number | null;
  isLost: boolean;
  demo: DemoFrame | null;
}

export function Apron(props: ApronProps) {
  const { board, view, myId, shareWin, demo, balance } = props;
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
            <Winner result={paid} />
            {paid.winner?.id === myId && shareWin(paid)}
          </>
        )}
        {!demo && lastWon && <LastWinner result={lastWon} />}
        {!demo && !paid && !lastWon && <LastBuyer {...props} />}
      </div>
      <Action {...props} />
      {balance}
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

const Buyer = ({ name, className, children }: { name: ReactNode; className?: string; children: ReactNode }) => (
  <>
    <b className={className}>{name}</b>
    <p className="t14 dim">{children}</p>
  </>
);

const LastWinner = ({ result: { winner, jackpotCents, roundId, endedAtEpochMs } }: { result: RoundResult }) => (
  <Buyer name={winner?.gamerTag} className="won">
    Won {formatCents(jackpotCents)} in round {roundId}, {dateTimeText(endedAtEpochMs)}.
  </Buyer>
);

function Winner({ result: { winner, endedAtEpochMs, tokenCount } }: { result: RoundResult }) {
  const isRecent = useServerNow() - endedAtEpochMs < 60_000;
  return (
    <Buyer name={winner?.gamerTag} className="won">
      {isRecent ? 'Just now' : dateTimeText(endedAtEpochMs)}. {lastTokenText(tokenCount)}
    </Buyer>
  );
}

const lastTokenText = (tokens: number): string =>
  tokens === 1 ? 'The only token of the round.' : `The last of ${counted(tokens, 'token')}.`;

function LastBuyer({ board, view, secondsLeft, isLost, myId }: ApronProps) {
  const now = useServerNow();
  if (board === null || view.mood === 'loading' || view.mood === 'unknown')
    return (
      <Buyer name="—" className="faint">
        {/* Keeps the height of the text that will replace it. */}
        &nbsp;
      </Buyer>
    );
  if (board.lastBuyerId === null || view.mood === 'idle' || view.mood === 'pregame')
    return <Buyer name={view.mood === 'downtime' ? 'Nobody bought' : 'Nobody yet'}>{nobodyText(board, view)}</Buyer>;
  const isYou = board.lastBuyerId === myId;
  const name = (
    <>
      <span>{board.lastBuyerGamerTag ?? 'Someone'}</span>
      {isYou && <span className="you">You</span>}
    </>
  );
  const ago = agoText(board.purchases[0]?.ts ?? now, now);
  return <Buyer name={name}>{buyerText(view, secondsLeft, isLost, ago, isYou)}</Buyer>;
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
