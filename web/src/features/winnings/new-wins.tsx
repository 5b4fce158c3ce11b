import { X } from 'lucide-react';
import { DAY_MS } from '../../../../contracts/durations.js';
import { useRefreshOn } from '../../shared/api/use-api.js';
import { serverNow } from '../../shared/clock.js';
import { formatCents } from '../../shared/format.js';
import { referralUrl, useSession } from '../../shared/session.queries.js';
import { createStoredText, useStore } from '../../shared/store.js';
import { Button, PageLink } from '../../shared/ui/controls.js';
import { WINNINGS_ID } from '../../shared/ui/go-to.js';
import { ShareButton } from '../../shared/ui/share-button.js';
import { useWinners, WINNERS_KEY } from '../../shared/winners.js';
import './new-wins.css';

const dismissedRoundId = createStoredText('omni.win-dismissed');

/** The gamer's newest win of the last day that was not dismissed in this browser. */
export function NewWins() {
  const session = useSession();
  const dismissed = Number(useStore(dismissedRoundId));
  const { data } = useWinners();
  // After a reconnect, because messages may be missing.
  useRefreshOn(WINNERS_KEY, 'round:ended', 'socket-connected');
  // A browser that announced nothing yet must not announce what its gamer has long known.
  const since = serverNow() - DAY_MS;
  const win = data?.winners.find(
    (one) => one.winnerId === session?.id && one.roundId > dismissed && one.endedAt > since,
  );
  if (win === undefined || !session) return null;
  const dismiss = () => dismissedRoundId.set(`${win.roundId}`);
  return (
    <aside className="strip new-wins" aria-label="Your win">
      <p role="status">
        {`Round ${win.roundId} ended: you won `}
        <b className="num won">{formatCents(win.jackpotCents)}</b>. It went to{' '}
        <PageLink className="underline" to="/" hash={WINNINGS_ID} text="My Winnings" onClick={dismiss} />.
      </p>
      <ShareButton
        className="btn btn--line btn--sm flex-none"
        text="Share"
        aria-label="Share my win"
        shared={{
          title: 'Omni Jackpot',
          text: `I won ${formatCents(win.jackpotCents)} in round ${win.roundId} of Omni Jackpot.`,
          url: referralUrl(session.refCode),
        }}
      />
      <Button className="new-wins-close" icon={X} aria-label="Dismiss" onClick={dismiss} />
    </aside>
  );
}
