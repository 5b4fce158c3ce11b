import { X } from 'lucide-react';
import { DAY_MS } from '../../../../contracts/durations.js';
import { useRefreshOn } from '../../shared/api/use-api.js';
import { serverNow } from '../../shared/clock.js';
import { formatCents } from '../../shared/format.js';
import { useMyId } from '../../shared/session.queries.js';
import { createStoredText, useStore } from '../../shared/store.js';
import { Button, PageLink } from '../../shared/ui/controls.js';
import { WINNINGS_ID } from '../../shared/ui/go-to.js';
import { useWinners, WINNERS_KEY } from '../../shared/winners.js';
import './new-wins.css';

const dismissedRoundId = createStoredText('omni.win-dismissed');

/** The gamer's oldest win of the last day that was not dismissed in this browser. */
export function NewWins() {
  const myId = useMyId();
  const dismissed = Number(useStore(dismissedRoundId));
  const { data } = useWinners();
  // After a reconnect, because messages may be missing.
  useRefreshOn(WINNERS_KEY, 'round:ended', 'socket-connected');
  // A browser that announced nothing yet must not announce what its gamer has long known.
  const since = serverNow() - DAY_MS;
  const win = data?.winners.findLast((one) => one.winnerId === myId && one.roundId > dismissed && one.endedAt > since);
  if (win === undefined) return null;
  const dismiss = () => dismissedRoundId.set(`${win.roundId}`);
  return (
    <aside className="strip new-wins" aria-label="Your win">
      <p role="status">
        {`Round ${win.roundId} ended: you won `}
        <b className="num won">{formatCents(win.jackpotCents)}</b>. It is in{' '}
        <PageLink className="underline" to="/" hash={WINNINGS_ID} text="My Winnings" onClick={dismiss} />.
      </p>
      <Button className="new-wins-close" icon={X} aria-label="Dismiss" onClick={dismiss} />
    </aside>
  );
}
