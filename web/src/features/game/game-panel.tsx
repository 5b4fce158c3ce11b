import { Play, Square } from 'lucide-react';
import { type CSSProperties, useEffect, useLayoutEffect, useRef } from 'react';
import type { GameState } from '../../../../contracts/http/game.js';
import { useBoard } from '../../shared/board.js';
import { isClockKnown, LAST_SECONDS, useSecondsLeft, watchSeconds } from '../../shared/clock.js';
import { clockText, counted, durationText } from '../../shared/format.js';
import { isDown, useConnection, usePageEvent } from '../../shared/live/live-events.js';
import { useStore } from '../../shared/store.js';
import { Button } from '../../shared/ui/controls.js';
import { STAGE_ID } from '../../shared/ui/go-to.js';
import { Notice } from '../../shared/ui/notice.js';
import { LoadFailure } from '../../shared/ui/query-result.js';
import { announce } from '../../shared/ui/toasts.js';
import { RecentWinners } from '../rounds/recent-winners.js';
import { Apron, type GamePanelProps } from './apron.js';
import { useDemo } from './film.js';
import { Lamps, LampTags, type LightsProps, useFootlights } from './lights.js';
import { countsDownTo, drawClock, isKnown, isLit, type Mood, stageClass, stageView } from './stage-view.js';
import './stage.css';
import './footlights.css';
import './stage-phases.css';

export function GamePanel(apron: GamePanelProps) {
  const { data, isError, refetch } = useBoard();
  const board = data ?? null;
  const isLost = isDown(useConnection());
  const isUnsure = !useStore(isClockKnown) && board !== null;
  const zeroAtMs = countsDownTo(board);
  // The clock draws its seconds without a render. Only the last ones render the stage.
  const secondsLeft = useSecondsLeft(zeroAtMs, LAST_SECONDS + 1);
  const view = stageView(board, secondsLeft, isLost, isLost || isUnsure);
  useStageSpeech(zeroAtMs, view.mood);
  const { mood } = view;
  const outage = board && outageTexts(board);
  const { ref, footlights, rowWidthPx } = useFootlights(board);
  const isWaiting = mood === 'idle' || mood === 'downtime';
  const demo = useDemo(isWaiting && !isLost, rowWidthPx);
  const shown: LightsProps = demo.frame
    ? { mood: 'live', footlights: demo.frame.footlights, isLost, isDemo: true }
    : { mood, footlights, isLost };
  const lamps = isLit(mood) ? Math.max(1, footlights.lamps) : 4;
  const failure = (
    <div className="balance">
      <LoadFailure text="The game status could not be loaded" onRetry={refetch} />
    </div>
  );
  return (
    <div className="stagewrap">
      <RecentWinners />
      <section
        className={stageClass(mood, isLost)}
        style={{ '--lamps': Math.min(lamps, 27) } as CSSProperties}
        id={STAGE_ID}
        tabIndex={-1}
        aria-label="Game status"
      >
        <div className="hero-main" ref={ref}>
          <div className="hero-top">
            <p className="onair">
              <i aria-hidden="true" />
              {view.shownStatus !== view.status && <span className="sr">{`${view.status}. `}</span>}
              <span>{view.shownStatus}</span>
            </p>
          </div>
          <p className="clock-label">{demo.frame ? 'DEMONSTRATION' : view.clockLabel}</p>
          <Clock zeroAtMs={zeroAtMs} demoSeconds={demo.frame?.clockSeconds ?? null} isKnown={isKnown(mood)} />
          <Lamps {...shown} />
        </div>
        <LampTags {...shown}>{isWaiting && !isLost && <DemoButton {...demo} />}</LampTags>
        <Apron
          {...apron}
          board={board}
          view={view}
          secondsLeft={secondsLeft}
          isLost={isLost}
          demo={demo.frame}
          balance={isError && board === null ? failure : apron.balance}
        />
        {outage && (
          <div className="resumed" role="status">
            <Notice tone="time" {...outage} />
          </div>
        )}
      </section>
    </div>
  );
}

interface ClockProps {
  zeroAtMs: number | null;
  demoSeconds: number | null;
  isKnown: boolean;
}

/** The countdown's digits, drawn every second without a render; dashes while the time is unknown. */
function Clock({ zeroAtMs, demoSeconds, isKnown }: ClockProps) {
  const ref = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const clock = ref.current;
    if (clock === null || !isKnown) return;
    if (demoSeconds !== null) return drawClock(clock, clockText(demoSeconds));
    return watchSeconds(zeroAtMs, (seconds) => drawClock(clock, clockText(seconds ?? 0)));
  }, [zeroAtMs, demoSeconds, isKnown]);
  return (
    <p ref={ref} data-docked="clock" className="clock" role="timer" aria-label="Time remaining unknown">
      {isKnown ? (
        <span key="known" aria-hidden="true" />
      ) : (
        <span key="unknown" aria-hidden="true" className="clock-unknown">
          ––<i>:</i>––
        </span>
      )}
    </p>
  );
}

const DemoButton = ({ frame, start, stop }: ReturnType<typeof useDemo>) =>
  frame === null ? (
    <Button className="btn btn--text btn--sm demo-button" icon={Play} text="See how lamps work" onClick={start} />
  ) : (
    <Button className="iconbtn demo-button" icon={Square} aria-label="Stop the demonstration" onClick={stop} />
  );

function outageTexts({ gameState, resumed, lateSeconds }: GameState) {
  if (resumed && gameState === 'live')
    return {
      title: 'The round continues after an outage.',
      text: `We were down for ${durationText(resumed.outageSeconds)}, so the clock resumed with the time that was left. An outage never decides a winner.`,
    };
  if (lateSeconds === 0 || gameState === 'downtime') return null;
  const late = counted(Math.floor(lateSeconds / 60), 'minute');
  return { title: `Started ${late} late`, text: 'No server began it at the planned time.' };
}

const MARK_SECONDS = [60, 30, 10, 5] as const;
const BUYER_EVERY_MS = 10_000;

/** The sentence for a step of the clock, even when it jumps over a mark; null between marks and for added time. */
export function timeSentence(fromSeconds: number | null, toSeconds: number): string | null {
  if (fromSeconds === null || toSeconds >= fromSeconds) return null;
  const mark = MARK_SECONDS.findLast((seconds) => toSeconds <= seconds && fromSeconds > seconds);
  return mark === undefined || toSeconds === 0 ? null : `${mark} seconds left`;
}

export const buyerPauseMs = (lastAtMs: number | null, nowMs: number): number =>
  lastAtMs === null ? 0 : Math.max(0, lastAtMs + BUYER_EVERY_MS - nowMs);

/** Announces a live round to screen readers: 60, 30, 10 and 5 seconds, and a new last buyer at most every 10 s. */
function useStageSpeech(zeroAtMs: number | null, mood: Mood): void {
  const isLive = isLit(mood);
  const previousSeconds = useRef<number | null>(null);
  const announcedAtMonotonicMs = useRef<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (!isLive) {
      previousSeconds.current = null;
      clearTimeout(timer.current);
      return;
    }
    return watchSeconds(zeroAtMs, (seconds) => {
      const sentence = seconds === null ? null : timeSentence(previousSeconds.current, seconds);
      previousSeconds.current = seconds;
      if (sentence) announce(sentence);
    });
  }, [isLive, zeroAtMs]);

  useEffect(() => () => clearTimeout(timer.current), []);
  usePageEvent('purchase:added', ({ buyerGamerTag }) => {
    clearTimeout(timer.current);
    const announceBuyer = () => {
      announcedAtMonotonicMs.current = performance.now();
      announce(`${buyerGamerTag} is the last buyer`);
    };
    timer.current = setTimeout(announceBuyer, buyerPauseMs(announcedAtMonotonicMs.current, performance.now()));
  });
}
