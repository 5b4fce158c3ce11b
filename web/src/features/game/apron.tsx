import { type CSSProperties, type ReactNode, useState } from 'react';
import type { GameState } from '../../../../contracts/http/game.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { cannotBuyText } from '../../shared/board.js';
import { serverNow, useServerNow } from '../../shared/clock.js';
import * as format from '../../shared/format.js';
import { useMyId } from '../../shared/session.queries.js';
import { overtakenText, wasOvertaken } from '../../shared/tokens/quantity.js';
import { Button } from '../../shared/ui/controls.js';
import { scrollToNotice } from '../../shared/ui/go-to.js';
import { Notice } from '../../shared/ui/notice.js';
import { useBuyAgain, useIsPurchaseSlow } from '../purchases/use-purchase.js';
import type { DemoFrame } from './film.js';
import { isKnown, type StageView } from './stage-view.js';

export interface StageProps {
  onJoin: (() => void) | null;
  /** The reason for an account that may never buy; null for gamers and visitors. */
  neverBuys: string | null;
}

export interface GamePanelProps extends StageProps {
  remind?: ReactNode;
  balance?: ReactNode;
}

interface ApronProps extends GamePanelProps {
  board: GameState | null;
  view: StageView;
  secondsLeft: number | null;
  isLost: boolean;
  demo: DemoFrame | null;
}

export function Apron(props: ApronProps) {
  const { board, view, demo, balance } = props;
  const myId = useMyId();
  const nowMs = useServerNow();
  const paid = demo === null && view.mood === 'downtime' && board?.lastResult?.winner ? board.lastResult : null;
  const jackpotCents = demo?.jackpotCents ?? paid?.jackpotCents ?? board?.jackpotCents;
  const jackpot = jackpotCents === undefined ? null : format.formatCents(jackpotCents);
  const buyer = buyerOf(props, myId, nowMs);
  return (
    <div className="apron">
      <div className="jackpot">
        <p className="label">{paid ? `Round ${paid.roundId} paid` : 'Jackpot'}</p>
        <b className={`num ${paid ? 'won' : ''}`} style={{ '--characters': jackpot?.length ?? 1 } as CSSProperties}>
          {jackpot ?? <span className="faint">—</span>}
        </b>
      </div>
      <div className="lastbuyer">
        <div>
          <p className="label">{buyer.label ?? 'Last buyer'}</p>
          <b className={buyer.className}>
            <span>{buyer.name}</span>
            {buyer.isYou && <span className="you">You</span>}
          </b>
        </div>
        <p className="t14 dim">{buyer.text}</p>
      </div>
      <Action {...props} />
      {balance}
    </div>
  );
}

interface Buyer {
  label?: string;
  name: string;
  isYou?: boolean;
  className?: string;
  text: string;
}

function buyerOf({ board, view, secondsLeft, isLost, demo }: ApronProps, myId: GamerId, nowMs: number): Buyer {
  const { mood } = view;
  if (demo) return { name: demo.lastBuyer ?? 'Nobody yet', text: demo.caption };
  // The space keeps the height of the text that will replace it.
  if (board === null || !isKnown(mood)) return { name: '—', className: 'faint', text: '\u00a0' };
  if (board.resetRoundId !== null) {
    const carried = board.jackpotCents > 0 ? `${format.formatCents(board.jackpotCents)} carries over.` : '';
    return { label: 'Winner', name: 'Nobody', text: `Round ${board.resetRoundId} was reset. ${carried}` };
  }
  if (board.lastResult?.winner && (mood === 'downtime' || mood === 'idle')) {
    const { winner, jackpotCents, roundId, endedAtMs, tokenCount } = board.lastResult;
    const named = { name: winner.gamerTag, isYou: winner.id === myId };
    const ended = format.dateTimeText(endedAtMs);
    if (mood === 'idle')
      return { ...named, text: `Won ${format.formatCents(jackpotCents)} in round ${roundId}, ${ended}.` };
    const own = overtakenText(board, myId) ?? `${format.counted(tokenCount, 'token')} in the round.`;
    const text = `${nowMs - endedAtMs < 60_000 ? 'Just now' : ended}. ${own}`;
    return { ...named, label: 'Winner', className: 'won', text };
  }
  if (board.lastBuyerId === null || mood === 'idle' || mood === 'pregame')
    return { name: mood === 'downtime' ? 'Nobody bought' : 'Nobody yet', text: nobodyText(board, view) };
  const isYou = board.lastBuyerId === myId;
  const boughtAtMs = board.purchases[0]?.ts ?? nowMs;
  const lastKnown = `Last known: bought ${format.dateTimeText(boughtAtMs)}.`;
  const text = isLost ? lastKnown : buyerText(view, secondsLeft, format.agoText(boughtAtMs, nowMs), isYou);
  return { name: board.lastBuyerGamerTag ?? 'Someone', isYou, text };
}

function nobodyText(board: GameState, view: StageView): string {
  if (view.mood === 'pregame')
    return `Round ${board.roundId ?? ''} opens with ${format.clockText(board.timers.liveDurationSeconds)} on the clock.`;
  const isDowntime = view.mood === 'downtime';
  if (board.jackpotCents > 0)
    return isDowntime ? 'The jackpot carries over to the next round.' : 'Carried over from the previous round.';
  return isDowntime || view.mood === 'idle' ? '' : 'The first token starts the jackpot.';
}

function buyerText(view: StageView, secondsLeft: number | null, ago: string, isYou: boolean): string {
  if (view.mood === 'downtime') return 'The result is on its way.';
  if (view.mood === 'last') {
    if (secondsLeft === 0) return 'Time is up. The round is being decided.';
    return `${isYou ? 'You win' : 'Wins'} in ${format.counted(secondsLeft ?? 0, 'second')} if nobody else buys.`;
  }
  return `${ago}. ${isYou ? 'You win' : 'Wins'} it all if nobody else buys.`;
}

function Action(props: ApronProps) {
  const { board, view, secondsLeft, isLost, onJoin, neverBuys, remind } = props;
  const myId = useMyId();
  const again = useBuyAgain();
  const isSlow = useIsPurchaseSlow();
  const [refusedIn, setRefusedIn] = useState<string | null>(null);
  const cannotBuy = cannotBuyText(board);
  const isLive = cannotBuy === null;
  const extension = board?.terms.tokenExtensionSeconds ?? 0;
  const phase = `${view.mood} ${board?.roundId ?? ''}`;
  const wasRefused = refusedIn === phase && !isLive;
  const blocked = isLost || neverBuys !== null || view.mood === 'loading';
  // A gamer's press at zero would come too late. A visitor's only goes to the form.
  const isTimeUp = isLive && secondsLeft === 0 && myId !== '';
  const isWaiting = view.mood === 'idle' || view.mood === 'downtime';
  const isOvertaken = isLive && !blocked && !isSlow && board !== null && wasOvertaken(board, myId);
  const text = isOvertaken ? 'You lost the lead' : actionText(props, isSlow);
  const press = () => {
    if (blocked || isTimeUp || onJoin === null) return;
    // A visitor goes to the form, and sees no refusal.
    if (myId !== '') setRefusedIn(phase);
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
        {isLive && !blocked && <span className="plus num">{format.addedText(extension)}</span>}
      </button>
      {wasRefused && (
        <div ref={scrollToNotice}>
          <Notice tone="time" title="Cannot Purchase Now" urgent text={cannotBuy} />
        </div>
      )}
      {!wasRefused && <p className={`act-text ${isOvertaken ? 'lead-lost' : ''}`}>{text}</p>}
      {again !== null && !blocked && (
        <Button
          className="btn btn--line justify-between"
          text={
            again.isBusy
              ? 'Buying…'
              : `Buy ${format.numberText(again.quantity)} again · ${format.formatCents(again.costCents)}`
          }
          blocked={again.isBusy || isTimeUp}
          onClick={again.buy}
        />
      )}
      {isWaiting && !blocked && remind}
    </div>
  );
}

function actionText({ board, view, isLost, neverBuys }: ApronProps, isSlow: boolean): string {
  if (isSlow) return 'Still trying. The outcome will be shown here.';
  if (neverBuys !== null) return neverBuys;
  if (view.mood === 'loading' && !isLost) return 'Loading the current round.';
  if (isLost) return 'You can buy again once the connection is back. Nothing was lost or charged twice.';
  if (board && view.mood === 'downtime') return nextGameText(board);
  if (view.mood === 'idle')
    return board?.plan
      ? `Next game ${format.startText(board.plan.startsAtMs, serverNow())}.`
      : 'No next game is set yet.';
  return cannotBuyText(board) ?? '';
}

function nextGameText({ endsAtEpochMs, timers }: GameState): string {
  const later = `The clock starts ${format.durationText(timers.pregameDurationSeconds)} later.`;
  return endsAtEpochMs === null
    ? later
    : `Pregame begins ${format.dateTimeText(endsAtEpochMs)}, New York time. ${later}`;
}
