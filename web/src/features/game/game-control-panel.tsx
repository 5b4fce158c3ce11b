import { type ReactNode, useState } from 'react';
import type * as http from '../../../../contracts/http/game.js';
import type { TimerSettings } from '../../../../contracts/limits.js';
import { timersVersion } from '../../../../contracts/versions.js';
import { useApi, useCommand } from '../../shared/api/api-client.js';
import { phaseLabel, TIMERS, useBoard } from '../../shared/board.js';
import { useServerNow } from '../../shared/clock.js';
import { durationText, formatCents, startText, unitsText, wholeFromInput } from '../../shared/format.js';
import { ConfirmDialog, EditConflict, PanelHead, ReasonField, useEdits } from '../../shared/ui/admin-parts.js';
import { Button, Field, Form, useFields } from '../../shared/ui/controls.js';
import { Countdown } from '../../shared/ui/countdown.js';
import { LoadFailure, Loading, QueryResult } from '../../shared/ui/query-result.js';

export function GameControlPanel({ title }: { title: ReactNode }) {
  const { data: board, isError, refetch } = useBoard();
  /** The timers as last saved. The current phase may still run on the previous ones. */
  const timers = useApi<http.TimersBody>(['/api', 'admin', 'timers']);
  return (
    <>
      <PanelHead title={title}>{board && board.gameState !== 'idle' && 'Game running automatically'}</PanelHead>
      {!board && isError && <LoadFailure text="The game status could not be loaded" onRetry={refetch} />}
      {!board && !isError && <Loading label="Loading Game Status" />}
      {board && (
        <div className="two">
          <div className="grid content-start gap-6">
            <p className="h3">
              <span>{phaseLabel(board.gameState)}</span>{' '}
              {board.endsAtEpochMs !== null && <Countdown className="time" endsAtMs={board.endsAtEpochMs} />}
            </p>
            <Controls board={board} />
          </div>
          <QueryResult query={timers} noun="timer settings">
            {(saved) => <TimerFields saved={saved} />}
          </QueryResult>
        </div>
      )}
    </>
  );
}

function Controls({ board }: { board: http.GameState }) {
  const [question, ask] = useState<GameCommand | null>(null);
  const { gameState, plan } = board;
  const isIdle = gameState === 'idle';
  return (
    <div className="grid gap-4">
      <div className="actions">
        <Button kind={isIdle ? 'act' : 'line'} text="Start Game" disabled={!isIdle} onClick={() => ask('start')} />
        <Button text="Force Start Live (5min)" disabled={gameState === 'live'} onClick={() => ask('start-live')} />
        {!isIdle && <Button kind="danger" text="Reset to Idle" onClick={() => ask('reset')} />}
      </div>
      {plan === null ? <PlanStart /> : <PlannedStart plan={plan} isIdle={isIdle} />}
      {question && <QuestionDialog command={question} board={board} onClose={() => ask(null)} />}
    </div>
  );
}

type GameCommand = 'start' | 'start-live' | 'reset';

type QuestionProps = { command: GameCommand; board: http.GameState; onClose: () => void };

function QuestionDialog({ command, board, onClose }: QuestionProps) {
  const { values, bind } = useFields({ reason: '' });
  const { title, description, labels, done, ...names } = questions[command](board);
  const { run } = useCommand<http.ResetRequest>('POST', `/api/admin/game/${command}`, names);
  const isReset = command === 'reset';
  return (
    <ConfirmDialog
      title={title}
      description={description}
      labels={labels}
      onClose={onClose}
      tone={isReset ? 'final' : 'act'}
      onConfirm={() => run(isReset ? values : {}, done)}
    >
      {isReset && (
        <ReasonField label="Reason, published in the record" placeholder="What went wrong" {...bind('reason')} />
      )}
    </ConfirmDialog>
  );
}

const questions = {
  start: ({ timers }: http.GameState) => ({
    title: 'Start the game?',
    description: `Everyone sees the pregame now. After ${durationText(timers.pregameDurationSeconds)} every gamer can buy tokens.`,
    labels: { cancel: 'Keep it idle', confirm: 'Start Game', busy: 'Starting…' },
    intent: 'start game',
    failureTitle: 'Start Failed',
    done: 'Game Started',
  }),
  'start-live': ({ gameState }: http.GameState) => ({
    title: 'Go live now?',
    description: `Every gamer can buy tokens at once, with 5 minutes on the clock.${gameState === 'idle' ? '' : ` The ${gameState} ends for everyone.`}`,
    labels: { cancel: 'Not now', confirm: 'Go live', busy: 'Starting…' },
    intent: 'start live phase',
    failureTitle: 'Live Start Failed',
    done: 'Live Phase Started',
  }),
  reset(board: http.GameState) {
    const hasRound = board.gameState === 'live' || board.gameState === 'pregame';
    const cancel = hasRound ? 'Keep the round running' : 'Keep it as it is';
    return {
      title: hasRound ? `Reset round ${board.roundId}?` : 'Reset to Idle?',
      description: describeReset(board),
      labels: { cancel, confirm: 'Reset to Idle', busy: 'Resetting…' },
      intent: 'reset game',
      failureTitle: 'Reset Failed',
      done: 'Game Reset',
    };
  },
};

function describeReset({ gameState, jackpotCents, purchases }: http.GameState): string {
  const carries = `The jackpot of ${formatCents(jackpotCents)} carries into the next round.`;
  if (gameState === 'live' && purchases.length > 0)
    return `The clock stops now and nobody wins this round. ${carries} Matrix and operator shares already paid stay as they are.`;
  if (gameState === 'downtime')
    return `The next game will not start by itself. ${jackpotCents > 0 ? carries : 'The payments of the last round stand.'}`;
  return `The round ends before anyone has bought. ${jackpotCents > 0 ? carries : 'No money is involved.'}`;
}

const REPEATS = [
  { value: 'once', text: 'Once' },
  { value: 'daily', text: 'Daily at this time' },
];

function PlanStart() {
  const { values, bind } = useFields({ localTime: '', repeat: 'once' });
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const { run, isBusy } = useCommand<http.ScheduleRequest>('POST', '/api/admin/game/schedule', {
    intent: 'plan the start',
    failureTitle: 'Start Not Planned',
  });
  const plan = { ...values, repeat: values.repeat as 'once', timeZone };
  return (
    <Form label="Plan a start" onSubmit={() => run(plan, 'Start Planned')}>
      <Field label="Next start" type="datetime-local" suffix={timeZone} {...bind('localTime')} />
      <Field label="Repeat" options={REPEATS} {...bind('repeat')} />
      <Button type="submit" text="Plan this start" busy={isBusy && 'Planning…'} />
    </Form>
  );
}

/** The planned start. One that came while a game ran is skipped, and a daily one goes on after the reset. */
function PlannedStart({ plan, isIdle }: { plan: NonNullable<http.GameState['plan']>; isIdle: boolean }) {
  const { startsAtMs, localTime, timeZone, repeat } = plan;
  const nowMs = useServerNow();
  const { run, isBusy } = useCommand<http.CancelScheduleRequest>('POST', '/api/admin/game/schedule/cancel', {
    intent: 'cancel the planned start',
  });
  const isSkipped = !isIdle && startsAtMs <= nowMs;
  const daily = repeat === 'daily' ? ` Daily at ${localTime.slice(11)} in ${timeZone}.` : '';
  return (
    <div className="actions">
      <p>{`Next start ${startText(startsAtMs, nowMs)}${isSkipped ? ': skipped, because a game is running' : ''}.${daily}`}</p>
      <Button
        text="Cancel this start"
        disabled={isBusy}
        onClick={() => void run({ startsAtMs }, { title: 'Start Cancelled' })}
      />
    </div>
  );
}

const byTimer = <Value,>(read: (timer: keyof TimerSettings) => Value) =>
  Object.fromEntries(TIMERS.map(([name]) => [name, read(name)])) as Record<keyof TimerSettings, Value>;

/** Other input than whole numbers of at least 1 is ignored (specification §5). */
const isAllowed = (text: string): boolean => text === '' || wholeFromInput(text) !== null;

function TimerFields({ saved }: { saved: TimerSettings }) {
  const savedTexts = byTimer((name) => `${saved[name]}`);
  const edits = useEdits(savedTexts, Object.fromEntries(TIMERS) as typeof savedTexts);
  const { values, expected, change, reset } = edits;
  const { run, isBusy } = useCommand<http.TimersBody>('POST', '/api/admin/timers', { intent: 'update timer settings' });
  const text = 'They apply from the next phase; time per token applies from the next round.';
  const save = async (base: typeof expected) => {
    const timers = byTimer((name) => wholeFromInput(values[name]) ?? saved[name]);
    const version = timersVersion(byTimer((name) => Number(base[name])));
    if ((await run(timers, { title: 'Timer Settings Updated', text }, version)) === null) reset();
  };
  return (
    <Form className="timers" label="Timer settings" onSubmit={() => save(expected)}>
      {TIMERS.map(([name, label]) => {
        const seconds = wholeFromInput(values[name]) ?? 0;
        return (
          <Field
            key={name}
            label={label}
            inputMode="numeric"
            maxLength={8}
            suffix={seconds >= 60 ? `s = ${unitsText(seconds)}` : 's'}
            value={values[name]}
            onChange={(text) => isAllowed(text) && change({ [name]: text })}
            onBlur={() => values[name] === '' && change({ [name]: `${saved[name]}` })}
          />
        );
      })}
      {!isBusy && <EditConflict edits={edits} onSaveMine={() => save(savedTexts)} />}
      <Button type="submit" text="Save timers" busy={isBusy && 'Saving…'} />
      <p className="msg col-span-full">Timers apply from the next phase; time per token applies from the next round.</p>
    </Form>
  );
}
