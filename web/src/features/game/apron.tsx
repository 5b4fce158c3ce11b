import { type CSSProperties, type ReactNode, type RefObject, useState } from 'react';
import type { GameState, RoundResult } from '../../../../contracts/http/game.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import { useServerNow } from '../../shared/clock.js';
import { addedText, agoText, clockText, counted, dateTimeText, durationText, numberText } from '../../shared/format.js';
import { overtakenText } from '../../shared/tokens/quantity.js';
import { Notice } from '../../shared/ui/notice.js';
import type { StageView } from './stage-view.js';
import type { DemoFrame } from './use-demo.js';

export interface AgainOffer {
  quantity: number;
  costCents: number;
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
  /** The button for a reminder of the next round; null for visitors and where there are no reminders. */
  remind: ReactNode;
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
  const result = board?.lastResult?.winner ? board.lastResult : null;
  const paid = view.mood === 'downtime' ? result : null;
  const jackpotCents = demo?.jackpotCents ?? paid?.jackpotCents ?? board?.jackpotCents;
  const isPaid = paid !== null && demo === null;
  const jackpot = jackpotCents === undefined ? null : formatCents(jackpotCents);
  return (
    <div className="apron">
      <div className="jackpot">
        <p className="label">{isPaid ? `Round ${paid.roundId} paid` : 'Jackpot'}</p>
        <b className={`num ${isPaid ? 'won' : ''}`} style={{ '--characters': jackpot?.length ?? 1 } as CSSProperties}>
          {jackpot ?? <span className="faint">—</span>}
        </b>
      </div>
      <div className="lastbuyer">
        {demo && <Buyer name={demo.lastBuyer ?? 'Nobody yet'}>{demo.caption}</Buyer>}
        {isPaid && <Winner result={paid} own={board && overtakenText(board, myId)} myId={myId} />}
        {!demo && !paid && view.mood === 'idle' && result && <LastWinner result={result} myId={myId} />}
        {!demo && !paid && (view.mood !== 'idle' || !result) && <LastBuyer {...props} />}
      </div>
      <Action {...props} share={isPaid && paid.winner?.id === myId && shareWin(paid)} />
      {balance}
    </div>
  );
}

interface BuyerProps {
  label?: string;
  name: ReactNode;
  className?: string;
  children: ReactNode;
}

const Buyer = ({ label = 'Last buyer', name, className, children }: BuyerProps) => (
  <>
    <div>
      <p className="label">{label}</p>
      <b className={className}>{name}</b>
    </div>
    <p className="t14 dim">{children}</p>
  </>
);

interface ResultProps {
  result: RoundResult;
  myId: GamerId | null;
}

const Tag = ({ name, isYou }: { name: string | undefined; isYou: boolean }) => (
  <>
    <span>{name}</span>
    {isYou && <span className="you">You</span>}
  </>
);

const LastWinner = ({ result: { winner, jackpotCents, roundId, endedAtEpochMs }, myId }: ResultProps) => (
  <Buyer name={<Tag name={winner?.gamerTag} isYou={winner?.id === myId} />}>
    {`Won ${formatCents(jackpotCents)} in round ${roundId}, ${dateTimeText(endedAtEpochMs)}.`}
  </Buyer>
);

function Winner({ result, own, myId }: ResultProps & { own: string | null }) {
  const { winner, endedAtEpochMs, tokenCount } = result;
  const isRecent = useServerNow() - endedAtEpochMs < 60_000;
  return (
    <Buyer label="Winner" name={<Tag name={winner?.gamerTag} isYou={winner?.id === myId} />} className="won">
      {`${isRecent ? 'Just now' : dateTimeText(endedAtEpochMs)}. ${own ?? `${counted(tokenCount, 'token')} in the round.`}`}
    </Buyer>
  );
}

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
  const boughtAtMs = board.purchases[0]?.ts ?? now;
  const ago = agoText(boughtAtMs, now);
  const isOvertaken = !isYou && !isLost && board.purchases.some(({ buyerId }) => buyerId === myId);
  const lastKnown = `Last known: bought ${dateTimeText(boughtAtMs)}.`;
  const text = isLost ? lastKnown : buyerText(view, secondsLeft, ago, isYou);
  const name = board.lastBuyerGamerTag ?? 'Someone';
  return <Buyer name={<Tag name={name} isYou={isYou} />}>{isOvertaken ? `Overtook you. ${text}` : text}</Buyer>;
}

function nobodyText(board: GameState, view: StageView): string {
  if (view.mood === 'pregame')
    return `Round ${board.roundId ?? ''} opens with ${clockText(board.timers.liveDurationSeconds)} on the clock.`;
  if (view.mood === 'downtime') return 'The jackpot carries over to the next round.';
  if (board.jackpotCents > 0) return 'Carried over from the previous round.';
  return view.mood === 'idle' ? '' : 'The first token starts the jackpot.';
}

function buyerText(view: StageView, secondsLeft: number | null, ago: string, isYou: boolean): string {
  if (view.mood === 'downtime') return 'The result is on its way.';
  if (view.mood === 'last') {
    if (secondsLeft === 0) return 'Time is up. The round is being decided.';
    return `${isYou ? 'You win' : 'Wins'} in ${counted(secondsLeft ?? 0, 'second')} if nobody else buys.`;
  }
  return `${ago}. ${isYou ? 'You win' : 'Wins'} it all if nobody else buys.`;
}

const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

interface ActionProps extends ApronProps {
  share: ReactNode;
}

function Action(props: ActionProps) {
  const { board, view, secondsLeft, isLost, myId, onJoin, neverBuys, again, isBuying, remind, share } = props;
  const [refusedIn, setRefusedIn] = useState<string | null>(null);
  const isLive = view.cannotBuy === null;
  const extension = board?.terms.tokenExtensionSeconds ?? 0;
  const phase = `${view.mood} ${board?.roundId ?? ''}`;
  const wasRefused = refusedIn === phase && !isLive;
  const blocked = isLost || neverBuys !== null || view.mood === 'loading';
  // A gamer's press at zero would come too late. A visitor's only goes to the form.
  const isTimeUp = isLive && secondsLeft === 0 && myId !== null;
  const isWaiting = view.mood === 'idle' || view.mood === 'downtime';
  const press = () => {
    if (blocked || isTimeUp || onJoin === null) return;
    // A visitor goes to the form, and is refused nothing.
    if (myId !== null) setRefusedIn(phase);
    onJoin();
  };
  return (
    <div className="apron-act">
      <button
        type="button"
        data-docked="button"
        className={`btn btn--big ${isLive && !blocked ? 'btn--buy' : 'btn--line justify-center'}`}
        aria-disabled={blocked || isTimeUp || onJoin === null || undefined}
        onClick={press}
      >
        <span>{view.callToAction}</span>
        {isLive && !blocked && <span className="plus num">{addedText(extension)}</span>}
      </button>
      {wasRefused && (
        <div ref={intoView}>
          <Notice tone="time" title="Cannot Purchase Now" urgent text={view.cannotBuy} />
        </div>
      )}
      {!wasRefused && isBuying && <p className="t14">Still trying. The outcome will be shown here.</p>}
      {!wasRefused && !isBuying && (
        <p className={view.mood === 'idle' ? '' : 't14 dim'}>{actionText(board, view, isLost, neverBuys)}</p>
      )}
      {share}
      {again !== null && !blocked && <BuyAgain {...again} isTimeUp={isTimeUp} />}
      {isWaiting && !blocked && remind}
    </div>
  );
}

function BuyAgain({ quantity, costCents, isPending, isTimeUp, buy }: AgainOffer & { isTimeUp: boolean }) {
  return (
    <button
      type="button"
      className="btn btn--line justify-between"
      aria-disabled={isPending || isTimeUp || undefined}
      onClick={isTimeUp ? undefined : buy}
    >
      <span>{isPending ? 'Buying…' : `Buy ${numberText(quantity)} again · ${formatCents(costCents)}`}</span>
    </button>
  );
}

function actionText(board: GameState | null, view: StageView, isLost: boolean, neverBuys: string | null): string {
  if (neverBuys !== null) return neverBuys;
  if (view.mood === 'loading' && !isLost) return 'Loading the current round.';
  if (isLost) return 'You can buy again once the connection is back. Nothing was lost or charged twice.';
  if (board && view.mood === 'downtime') return nextGameText(board);
  if (view.mood === 'idle') return 'No next game is set yet.';
  return view.cannotBuy ?? '';
}

function nextGameText({ endsAtEpochMs, timers }: GameState): string {
  const later = `The clock starts ${durationText(timers.pregameDurationSeconds)} later.`;
  return endsAtEpochMs === null ? later : `Pregame begins ${dateTimeText(endsAtEpochMs)}, New York time. ${later}`;
}
