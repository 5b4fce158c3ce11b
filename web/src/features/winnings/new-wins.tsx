import { X } from 'lucide-react';
import { useState } from 'react';
import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../shared/format.js';
import { useGamer } from '../../shared/session.queries.js';
import { createStoredText, useStore } from '../../shared/store.js';
import { Button, PageLink } from '../../shared/ui/controls.js';
import { WINNINGS_ID } from '../../shared/ui/go-to.js';
import { ShareButton } from '../../shared/ui/share-button.js';
import './new-wins.css';

/** The gamer's newest win of the last day that this gamer did not dismiss in this browser. */
export function NewWins() {
  const { data: gamer } = useGamer();
  return gamer?.newestWin ? <NewWin key={gamer.id} gamerId={gamer.id} win={gamer.newestWin} /> : null;
}

function NewWin({ gamerId, win }: { gamerId: GamerId; win: NonNullable<GamerProfile['newestWin']> }) {
  const [dismissedRoundId] = useState(() => createStoredText(`omni.win-dismissed.${gamerId}`));
  if (win.roundId <= Number(useStore(dismissedRoundId))) return null;
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
        shareText={`I won ${formatCents(win.jackpotCents)} in round ${win.roundId} of Omni Jackpot.`}
      />
      <Button className="new-wins-close" icon={X} aria-label="Dismiss" onClick={dismiss} />
    </aside>
  );
}
