import { useEffect, useEffectEvent } from 'react';
import type { GameState } from '../../../../contracts/http/game.js';
import type { PlaySession } from '../../../../contracts/http/protection.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { LAST_SECONDS, useBoardPart } from '../../shared/board.js';
import { useSecondsLeft, useServerNow } from '../../shared/clock.js';
import { useExclusion } from '../../shared/protection.queries.js';
import { Button } from '../../shared/ui/controls.js';
import { isCheckShown, netText, playedText } from './play-rules.js';
import { usePlaySession, usePlaySessionSync, useRefreshPlaySession } from './play-session.queries.js';
import { RealityCheck } from './reality-check.js';

/** How long this login lasts and its net position, always in sight; and the reality check when it is due. */
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
