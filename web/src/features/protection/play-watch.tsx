import { useNavigate } from '@tanstack/react-router';
import { AlertDialog } from 'radix-ui';
import { useEffect, useEffectEvent, useState } from 'react';
import type { GameState } from '../../../../contracts/http/game.js';
import type { PlaySession } from '../../../../contracts/http/protection.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import { reasonOf } from '../../shared/api/api-client.js';
import { useCommand } from '../../shared/api/use-command.js';
import { LAST_SECONDS, useBoardPart } from '../../shared/board.js';
import { serverNow, useSecondsLeft, useServerNow } from '../../shared/clock.js';
import { useExclusion } from '../../shared/session.queries.js';
import { Button, Sum } from '../../shared/ui/controls.js';
import { useDialogFocus } from '../../shared/ui/dialog-sheet.js';
import { Notice } from '../../shared/ui/notice.js';
import {
  isCheckShown,
  netText,
  playedText,
  usePlaySession,
  usePlaySessionSync,
  useRefreshPlaySession,
} from './play-session.js';

export function PlayWatch({ gamerId }: { gamerId: GamerId }) {
  usePlaySessionSync(gamerId);
  const { data, isError, refetch } = usePlaySession();
  if (!data && !isError) return null;
  return (
    <aside className="session-line" aria-label="This session">
      {data ? (
        <Session gamerId={gamerId} session={data} />
      ) : (
        <>
          Your session's time and net position could not be loaded.{' '}
          <Button className="underline" text="Try again" onClick={() => void refetch()} />
        </>
      )}
    </aside>
  );
}

function Session({ gamerId, session }: { gamerId: GamerId; session: PlaySession }) {
  const now = useServerNow();
  const isShown = useIsCheckShown(gamerId, session.realityCheck.dueAtEpochMs);
  const { startedAtEpochMs, netCents } = session;
  return (
    <>
      <span title="Since you logged in">
        Session <b className="num">{playedText(startedAtEpochMs, now)}</b>
      </span>
      <span title="Jackpots won less spent on tokens, since you logged in">
        Net <b className={`num ${netCents > 0 ? 'won' : ''}`}>{netText(netCents)}</b>
      </span>
      {isShown && <RealityCheck session={session} />}
    </>
  );
}

function useIsCheckShown(gamerId: GamerId, dueAtEpochMs: number): boolean {
  const isDue = useSecondsLeft(dueAtEpochMs, 1) === 0;
  const ledUntil = useBoardPart(({ gameState, lastBuyerId, endsAtEpochMs }: GameState) =>
    gameState === 'live' && lastBuyerId === gamerId ? endsAtEpochMs : null,
  );
  const secondsLeft = useSecondsLeft(ledUntil ?? null, LAST_SECONDS + 1);
  const isExcluded = useExclusion() !== null;
  const refresh = useEffectEvent(useRefreshPlaySession());
  // Another window of the same login may have answered meanwhile.
  useEffect(() => {
    if (isDue) void refresh();
  }, [isDue]);
  return !isExcluded && isCheckShown(isDue, secondsLeft);
}

/** A dialog that closes only when it is answered, and that answer is kept on the server. */
function RealityCheck({ session }: { session: PlaySession }) {
  const { spentCents, wonCents, netCents, startedAtEpochMs } = session;
  const { ref, onOpenAutoFocus, onCloseAutoFocus } = useDialogFocus(true, () => undefined);
  const [problem, setProblem] = useState<string | null>(null);
  const { send, isBusy: isPending } = useCommand<object>('POST', '/api/play-session/answer', {
    onSuccess: useRefreshPlaySession(),
  });
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
    <AlertDialog.Root open>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="scrim scrim--over" />
        <AlertDialog.Content
          ref={ref}
          className="dialog"
          onCloseAutoFocus={onCloseAutoFocus}
          onOpenAutoFocus={(event) => {
            onOpenAutoFocus(event);
            // No button has the first focus: a key meant for the game must not answer.
            event.preventDefault();
            ref.current?.focus();
          }}
        >
          <AlertDialog.Title>{`You have been logged in for ${playedText(startedAtEpochMs, serverNow())}`}</AlertDialog.Title>
          <AlertDialog.Description>This is how you have done since you logged in.</AlertDialog.Description>
          <Sum
            rows={[
              ['Spent on tokens', formatCents(spentCents)],
              ['Jackpots won', formatCents(wonCents), wonCents > 0 ? 'won' : undefined],
              ['Net', netText(netCents), 'total'],
            ]}
          />
          {problem !== null && <Notice tone="bad" title="Your answer did not arrive" text={problem} urgent />}
          <div className="actions">
            <Button kind="act" text="Go on" busy={isPending && 'Sending…'} onClick={() => void answer()} />
            <Button
              text="Take a break"
              disabled={isPending}
              onClick={() => void answer(() => navigate({ to: '/protection', hash: 'take-a-break' }))}
            />
          </div>
          <Button
            className="linkish justify-self-start"
            text="Go to my statement"
            disabled={isPending}
            onClick={() => void answer(() => navigate({ to: '/statement' }))}
          />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
