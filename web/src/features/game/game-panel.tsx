import type { CSSProperties, ReactNode, RefObject } from 'react';
import type { RoundResult } from '../../../../contracts/http/game.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { DEFAULT_TIMERS } from '../../../../contracts/limits.js';
import { useBoard } from '../../shared/board/board.queries.js';
import { useSecondsLeft } from '../../shared/clock/use-seconds-left.js';
import { isDown, useConnection } from '../../shared/live/connection.js';
import { LoadFailure } from '../../shared/ui/notice.js';
import { STAGE_ID } from '../../shared/ui/return-to-stage.js';
import { Apron } from './apron.js';
import { Clock } from './clock.js';
import { Lamps, LampTags, type LightsProps, useFootlights } from './lights.js';
import { ResumedBanner } from './resumed-banner.js';
import { StageBanners } from './stage-banners.js';
import { type StageView, stageView } from './stage-view.js';
import { useIsAway } from './use-is-away.js';
import { useStageSpeech } from './use-stage-speech.js';
import './stage.css';
import './footlights.css';
import './stage-phases.css';

interface GamePanelProps {
  stageRef: RefObject<HTMLElement | null>;
  myId: GamerId | null;
  /** The winner's to press, once the jackpot is theirs. */
  shareWin: (result: RoundResult) => ReactNode;
  /** Over the stage's corner: the winners of other rounds. */
  winners: ReactNode;
  /** Below the jackpot: what the gamer can buy with. */
  balance: ReactNode;
  /**
   * The call to action was pressed, in a phase in which tokens can be bought or by a visitor who has to log in first.
   * Null while it is not known who is here.
   */
  onJoin: (() => void) | null;
  /** Why this gamer may not buy in any phase; null for everyone else. */
  neverBuys: string | null;
}

/** The stage: curtain, clock, footlights, apron. */
export function GamePanel({ stageRef, myId, shareWin, winners, balance, onJoin, neverBuys }: GamePanelProps) {
  const { data, isError, refetch } = useBoard();
  const board = data ?? null;
  const isLost = isDown(useConnection());
  const isAway = useIsAway(stageRef);
  const secondsLeft = useSecondsLeft(board?.endsAtEpochMs ?? null);
  const view = stageView(board, secondsLeft, isLost);
  useStageSpeech(board, view.mood, secondsLeft);
  const secondsPerLamp = (board?.timers ?? DEFAULT_TIMERS).tokenExtensionSeconds;
  const { ref, footlights } = useFootlights({
    purchases: board?.purchases ?? [],
    secondsLeft: secondsLeft ?? 0,
    secondsPerLamp,
  });
  const lights: LightsProps = {
    mood: view.mood,
    footlights,
    secondsPerLamp,
    openingSeconds: (board?.timers ?? DEFAULT_TIMERS).liveDurationSeconds,
    myId,
    isLost,
  };
  const isLit = view.mood === 'live' || view.mood === 'last';
  const lamps = isLit ? Math.max(1, footlights.lamps) : 4;
  return (
    <div className="stagewrap">
      {winners}
      <section
        ref={stageRef}
        className={`hero ${phaseClass(view, isLost)}`}
        style={{ '--lamps': Math.min(lamps, 27) } as CSSProperties}
        id={STAGE_ID}
        tabIndex={-1}
        aria-label="Game status"
      >
        <div className="house" ref={ref as RefObject<HTMLDivElement | null>}>
          <div className="house-top">
            <p className="onair">
              <i aria-hidden="true" />
              {view.shownStatus !== view.status && <span className="sr">{view.status}. </span>}
              <span>{view.shownStatus}</span>
            </p>
          </div>
          <p className="clock-label">{view.clockLabel}</p>
          <Clock seconds={view.mood === 'loading' || view.mood === 'unknown' ? null : (secondsLeft ?? 0)} />
          <Lamps {...lights} />
        </div>
        <LampTags {...lights} />
        <ResumedBanner board={board} />
        <Apron
          board={board}
          view={view}
          secondsLeft={secondsLeft}
          isLost={isLost}
          myId={myId}
          onJoin={onJoin}
          neverBuys={neverBuys}
          shareWin={shareWin}
        >
          {isError && board === null ? (
            <div className="balance">
              <LoadFailure text="The game status could not be loaded" onRetry={() => void refetch()} />
            </div>
          ) : (
            balance
          )}
        </Apron>
      </section>
      <StageBanners isAway={isAway} myId={myId} />
    </div>
  );
}

function phaseClass({ mood }: StageView, isLost: boolean): string {
  if (isLost && mood !== 'idle') return 'hero--lost';
  switch (mood) {
    case 'live':
      return '';
    case 'last':
      return 'hero--last';
    case 'pregame':
      return 'hero--pre';
    case 'idle':
    case 'loading':
    case 'unknown':
      return 'hero--dark hero--idle';
    case 'downtime':
      return 'hero--dark';
  }
}
