import { Minus, Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { MAX_BOARD_PURCHASES, MAX_TOKENS_PER_PURCHASE } from '../../../../contracts/limits.js';
import { type LimitKind } from '../../../../contracts/protection.js';
import { limitText, refusalText } from '../../../../contracts/refusals.js';
import { useBoard, useBoardPart, useCannotBuyText, useTerms } from '../board.js';
import { LAST_SECONDS, useSecondsLeft } from '../clock.js';
import { formatCents, wholeFromInput } from '../format.js';
import { useMyId, useProtection, useStrictestLimit } from '../session.queries.js';
import { createStore, useStore } from '../store.js';
import { Button, FieldMessage, PageLink, VerifyLink } from '../ui/controls.js';
import { Countdown } from '../ui/countdown.js';
import { useFirstFocus } from '../ui/dialog-sheet.js';
import { WINNINGS_ID } from '../ui/go-to.js';
import { Notice } from '../ui/notice.js';
import { latePurchase, overtakenText, wasOvertaken } from './quantity.js';
import './tokens.css';

/** The quantity that the balance dialog hands to the crypto dialog; null without one. */
export const carriedQuantity = createStore<string | null>(null);

interface QuantityFieldProps {
  text: string;
  onChange: (text: string) => void;
  problem: string | null;
}

/** A field for a number of tokens. Leaving it empty or invalid sets it to 1 (specification §5). */
export function QuantityField({ text, onChange, problem }: QuantityFieldProps) {
  const id = useId();
  const firstFocus = useFirstFocus();
  const { tokenPriceCents } = useTerms();
  const quantity = wholeFromInput(text);
  const step = (by: number) => onChange(`${Math.min(Math.max((quantity ?? 0) + by, 1), MAX_TOKENS_PER_PURCHASE)}`);
  return (
    <div className="field">
      <label htmlFor={id}>How many tokens, {formatCents(tokenPriceCents)} each</label>
      <div className={`stepper ${problem === null ? '' : 'stepper--bad'}`}>
        <Button className="" icon={Minus} aria-label="One fewer" onClick={() => step(-1)} />
        <input
          id={id}
          {...firstFocus}
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          value={text}
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : `${id}-m`}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
            if (by === undefined) return;
            event.preventDefault();
            step(by);
          }}
          onFocus={(event) => event.target.select()}
          onBlur={() => quantity === null && onChange('1')}
        />
        <Button className="" icon={Plus} aria-label="One more" onClick={() => step(1)} />
      </div>
      <FieldMessage id={`${id}-m`} error={problem} />
    </div>
  );
}

/** The strictest limit of these kinds; a warning when the amount is beyond it, or when a limit must be chosen first. */
export function LimitLeft({ kinds, cents }: { kinds: readonly LimitKind[]; cents: number }) {
  const { data } = useProtection();
  const strictest = useStrictestLimit(kinds);
  if (data?.mustChooseLimits) {
    const text = (
      <>
        {refusalText({ code: 'limits-required' })}: <PageLink className="linkish" to="/protection" text="My Limits" />.
      </>
    );
    return <Notice tone="bad" title="Choose a limit first" text={text} />;
  }
  if (strictest === undefined) return null;
  if (cents > strictest.leftCents) {
    const whose = strictest.setBy === 'gamer' ? 'your' : 'the operator’s';
    return <Notice tone="bad" title={`Beyond ${whose} limit`} text={limitText(strictest)} />;
  }
  return <p className="t14 dim">{limitText(strictest)}</p>;
}

export const ROUND_OVER = 'The round is over';

/** Whether the last round is over, and whether the dialog was already open when it ended. */
export function useRoundOver(open: boolean): { isRoundOver: boolean; wasOpen: boolean } {
  const isRoundOver = useBoardPart((board) => board.gameState === 'downtime' && board.lastResult !== null) ?? false;
  const [wasOpen, setWasOpen] = useState(false);
  const isOpenSinceLive = open && (wasOpen || !isRoundOver);
  if (wasOpen !== isOpenSinceLive) setWasOpen(isOpenSinceLive);
  return { isRoundOver, wasOpen };
}

/** The round's clock and last buyer in a dialog for buying. In the last seconds it looks as urgent as the stage. */
export function SheetClock() {
  const { data: board } = useBoard();
  const myId = useMyId();
  const secondsLeft = useSecondsLeft(board?.endsAtEpochMs ?? null, LAST_SECONDS + 1);
  if (board?.gameState === 'pregame' && board.endsAtEpochMs !== null)
    return (
      <p className="sheet-clock sheet-clock--pre">
        <Countdown endsAtMs={board.endsAtEpochMs} />
        <span>until the game is live</span>
      </p>
    );
  if (!board?.isActive || board.endsAtEpochMs === null || secondsLeft === null) return null;
  const { lastBuyerId, lastBuyerGamerTag } = board;
  const isOvertaken = wasOvertaken(board, myId);
  return (
    <div className={`sheet-clock ${secondsLeft <= LAST_SECONDS ? 'sheet-clock--last' : ''}`}>
      <Countdown endsAtMs={board.endsAtEpochMs} />
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
  const reason = useCannotBuyText();
  const result = board?.lastResult;
  if (!board || !result) return null;
  const isWinner = result.winner !== null && result.winner.id === myId;
  const unbought = board.purchases.length < MAX_BOARD_PURCHASES ? 'You did not buy in this round.' : null;
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
      {wasOpen ? <p className="dim">{reason}</p> : <Notice tone="time" title="Cannot Purchase Now" text={reason} />}
      {board.endsAtEpochMs !== null && (
        <p className="dim">
          Pregame begins in <Countdown endsAtMs={board.endsAtEpochMs} />.
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
