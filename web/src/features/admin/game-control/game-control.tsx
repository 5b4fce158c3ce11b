import { type ReactNode, useState } from 'react';
import type { GamePhase, GameState } from '../../../../../contracts/http/game.js';
import { formatCents } from '../../../../../contracts/money.js';
import { reasonOf } from '../../../shared/api/api-error.js';
import { useBoard } from '../../../shared/board/board.queries.js';
import { useSecondsLeft } from '../../../shared/clock/use-seconds-left.js';
import { clockText, durationText } from '../../../shared/format/clock-text.js';
import { LoadFailure, Loading } from '../../../shared/ui/notice.js';
import { toast } from '../../../shared/ui/toasts.js';
import { useForceStartLive, useStartGame } from './game-control.queries.js';
import { ResetDialog } from './reset-dialog.js';
import { TimerForm } from './timer-form.js';

/** Specification §4, admin label. */
const labels: Record<GamePhase, string> = {
  idle: 'Ready — Click Start to Begin',
  pregame: 'Game starting in:',
  live: 'Live Game Now Active',
  downtime: 'Downtime — Next game in:',
};

export function GameControl({ title }: { title: ReactNode }) {
  const { data: board, isError, refetch } = useBoard();
  if (board === undefined) {
    return (
      <>
        {title}
        {isError ? (
          <LoadFailure text="The game status could not be loaded" onRetry={() => void refetch()} />
        ) : (
          <Loading label="Loading Game Status" />
        )}
      </>
    );
  }
  return (
    <>
      <div className="room-h">
        {title}
        {board.gameState !== 'idle' && <p className="t14 dim">Game running automatically</p>}
      </div>
      <div className="two">
        <div className="grid content-start gap-6">
          <PhaseLine board={board} />
          <CueSheet board={board} />
          <Controls board={board} />
        </div>
        <TimerForm />
      </div>
    </>
  );
}

function PhaseLine({ board }: { board: GameState }) {
  const secondsLeft = useSecondsLeft(board.endsAtEpochMs);
  return (
    <p className="h3">
      {labels[board.gameState] ?? 'Game Status Unknown'}{' '}
      {secondsLeft !== null && <span className="time num">{clockText(secondsLeft)}</span>}
    </p>
  );
}

function CueSheet({ board }: { board: GameState }) {
  const { pregameDurationSeconds, liveDurationSeconds, downtimeDurationSeconds } = board.timers;
  const cues: { phase: GamePhase; name: string; detail: string }[] = [
    { phase: 'idle', name: 'Idle', detail: 'Waits for you' },
    { phase: 'pregame', name: 'Pregame', detail: durationText(pregameDurationSeconds) },
    { phase: 'live', name: 'Live', detail: durationText(liveDurationSeconds) },
    { phase: 'downtime', name: 'Downtime', detail: durationText(downtimeDurationSeconds) },
  ];
  return (
    <ol className="cuesheet" aria-label="Phases">
      {cues.map(({ phase, name, detail }) => (
        <li
          key={phase}
          className={phase === board.gameState ? 'on' : ''}
          aria-current={phase === board.gameState ? 'step' : undefined}
        >
          <span className="ph" aria-hidden="true">
            <i />
          </span>
          <b>{name}</b>
          <span>{detail}</span>
        </li>
      ))}
    </ol>
  );
}

function Controls({ board }: { board: GameState }) {
  const [asking, setAsking] = useState(false);
  const start = useStartGame();
  const live = useForceStartLive();
  const isIdle = board.gameState === 'idle';
  const isLive = board.gameState === 'live';
  const startGame = async () => {
    try {
      await start.mutateAsync();
      toast({ title: 'Game Started' });
    } catch (error) {
      toast({ title: 'Start Failed', text: reasonOf(error, 'Failed to start game'), tone: 'bad' });
    }
  };
  const forceLive = async () => {
    try {
      const { roundId } = await live.mutateAsync();
      toast({ title: 'Live Phase Started', text: `Round ${roundId}` });
    } catch (error) {
      toast({ title: 'Live Start Failed', text: reasonOf(error, 'Failed to start live phase'), tone: 'bad' });
    }
  };
  return (
    <div className="grid gap-2">
      <div className="actions">
        <button
          type="button"
          className={isIdle ? 'btn btn--act' : 'btn btn--line'}
          disabled={!isIdle || start.isPending}
          onClick={() => void startGame()}
        >
          Start Game
        </button>
        <button
          type="button"
          className="btn btn--line"
          disabled={isLive || live.isPending}
          onClick={() => void forceLive()}
        >
          Force Start Live (5min)
        </button>
        {!isIdle && (
          <button type="button" className="btn btn--danger" onClick={() => setAsking(true)}>
            Reset to Idle
          </button>
        )}
      </div>
      <p className="t14 dim">{controlsText(board)}</p>
      <ResetDialog board={board} open={asking} onOpenChange={setAsking} />
    </div>
  );
}

function controlsText(board: GameState): string {
  switch (board.gameState) {
    case 'idle':
      return 'Start opens a round with its pregame. Force Start Live skips the pregame.';
    case 'live':
      return `Start works only from idle. The game is live already. Reset asks first: nobody would win round ${board.roundId}, and ${formatCents(board.jackpotCents)} would carry over.`;
    default:
      return 'Start works only from idle. Force Start Live ends this phase now. Reset asks first.';
  }
}
