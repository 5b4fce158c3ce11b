import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { unitsOf } from '../../../../contracts/durations.js';
import type { GameState } from '../../../../contracts/http/game.js';
import type { PlaySession, RealityCheckRequest } from '../../../../contracts/http/protection.js';
import { reasonOf, useApi, useCommand } from '../../shared/api/api-client.js';
import { useBoardPart } from '../../shared/board.js';
import { LAST_SECONDS, serverNow, useSecondsLeft, useServerNow } from '../../shared/clock.js';
import { counted, durationText, formatCents, netText } from '../../shared/format.js';
import { usePageEvent } from '../../shared/live/live-events.js';
import { useExclusion, useMyId } from '../../shared/session.queries.js';
import { Button, Field, Pairs } from '../../shared/ui/controls.js';
import DialogSheet from '../../shared/ui/dialog-sheet.js';
import { Notice } from '../../shared/ui/notice.js';
import { QueryResult } from '../../shared/ui/query-result.js';

export default function PlayWatch() {
  const myId = useMyId();
  const { data, isError, refetch } = usePlaySession();
  usePageEvent('round:ended', ({ winner }) => winner?.id === myId && void refetch());
  if (!data && !isError) return null;
  return (
    <aside className="session-line" aria-label="This session">
      {data ? (
        <Session session={data} />
      ) : (
        <>
          Your session's time and net position could not be loaded.{' '}
          <Button className="underline" text="Try again" onClick={() => void refetch()} />
        </>
      )}
    </aside>
  );
}

function Session({ session }: { session: PlaySession }) {
  const nowMs = useServerNow();
  const isShown = useIsCheckShown(session.realityCheck.dueAtMs);
  const { startedAtMs, netCents } = session;
  return (
    <>
      <span title="Since you logged in">
        Session <b className="num">{playedText(startedAtMs, nowMs)}</b>
      </span>
      <span title="Jackpots won less spent on tokens, since you logged in">
        Net <b className={`num ${netCents > 0 ? 'won' : ''}`}>{netText(netCents)}</b>
      </span>
      {isShown && <RealityCheck session={session} />}
    </>
  );
}

function useIsCheckShown(dueAtMs: number): boolean {
  const myId = useMyId();
  const isDue = useSecondsLeft(dueAtMs, 1) === 0;
  const ledUntilMs = useBoardPart(({ gameState, lastBuyerId, endsAtEpochMs }: GameState) =>
    gameState === 'live' && lastBuyerId === myId ? endsAtEpochMs : null,
  );
  const secondsLeft = useSecondsLeft(ledUntilMs ?? null, LAST_SECONDS + 1);
  const isExcluded = useExclusion() !== null;
  return !isExcluded && isCheckShown(isDue, secondsLeft);
}

function RealityCheck({ session }: { session: PlaySession }) {
  const { spentCents, wonCents, netCents, startedAtMs } = session;
  const [problem, setProblem] = useState<string | null>(null);
  const { send, isBusy } = useCommand<object>('POST', '/api/play-session/answer');
  const navigate = useNavigate();
  const answer = async (then?: () => unknown): Promise<void> => {
    try {
      await send({});
      await then?.();
    } catch (error) {
      setProblem(reasonOf(error, 'Please answer again.'));
    }
  };
  return (
    <DialogSheet
      isQuestion
      onClose={() => undefined}
      title={`You have been logged in for ${playedText(startedAtMs, serverNow())}`}
      description="This is how you have done since you logged in."
    >
      {/* No button has the first focus: a key meant for the game must not answer. */}
      <Pairs
        rows={[
          ['Spent on tokens', formatCents(spentCents)],
          ['Jackpots won', formatCents(wonCents), wonCents > 0 ? 'won' : undefined],
          ['Net', netText(netCents), 'total'],
        ]}
      />
      {problem !== null && <Notice tone="bad" title="Your answer did not arrive" text={problem} urgent />}
      <div className="actions">
        <Button kind="act" text="Go on" busy={isBusy && 'Sending…'} onClick={() => void answer()} />
        <Button
          text="Take a break"
          disabled={isBusy}
          onClick={() => void answer(() => navigate({ to: '/protection', hash: 'take-a-break' }))}
        />
      </div>
    </DialogSheet>
  );
}

const CHOICES = [5, 10, 15, 20, 30, 45];

export function RealityCheckChoice() {
  const query = usePlaySession();
  const { run, isBusy } = useCommand<RealityCheckRequest>('PUT', '/api/play-session/reality-check', {
    failureTitle: 'Your choice was not saved',
  });
  return (
    <QueryResult query={query} noun="your reality check" rows={2}>
      {({ realityCheck }) => (
        <div className="grid max-w-[20rem] gap-2">
          <Field
            label="Show it every"
            value={String(realityCheck.everyMinutes)}
            options={choicesOf(realityCheck).map((minutes) => ({
              value: String(minutes),
              text: durationText(minutes * 60),
            }))}
            disabled={isBusy}
            onChange={(chosen) => run({ everyMinutes: Number(chosen) }, 'Done')}
          />
        </div>
      )}
    </QueryResult>
  );
}

const choicesOf = ({ everyMinutes, maxMinutes }: PlaySession['realityCheck']): number[] =>
  [...new Set([...CHOICES, everyMinutes, maxMinutes])]
    .filter((minutes) => minutes <= maxMinutes)
    .sort((one, other) => one - other);

/** The key is not under the profile's key, because every matrix credit refetches that. */
const usePlaySession = () =>
  // Messages may be missing after a reconnect.
  useApi<PlaySession>(['/api', 'play-session'], { refreshOn: ['balanceUpdated', 'socket-connected'] });

/** "42 minutes", "2 hours 5 minutes", "3 days 4 hours": how long a login lasts. */
export function playedText(startedAtMs: number, nowMs: number): string {
  const { days, hours, minutes } = unitsOf(Math.max(0, Math.floor((nowMs - startedAtMs) / 1000)));
  const parts = days > 0 ? ([days, 'day', hours % 24, 'hour'] as const) : ([hours, 'hour', minutes, 'minute'] as const);
  const [large, largeUnit, small, smallUnit] = parts;
  if (large === 0) return counted(small, smallUnit);
  return small === 0 ? counted(large, largeUnit) : `${counted(large, largeUnit)} ${counted(small, smallUnit)}`;
}

/** Whether a due check is shown. It waits while the gamer leads a round in its last seconds. @param secondsLeft of that round; null without one */
export const isCheckShown = (isDue: boolean, secondsLeft: number | null): boolean =>
  isDue && (secondsLeft === null || secondsLeft > LAST_SECONDS);
