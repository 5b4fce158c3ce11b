import { X } from 'lucide-react';
import { useState } from 'react';
import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import { formatCents } from '../../shared/format.js';
import { referralUrl, useGamer } from '../../shared/session.queries.js';
import { createStoredText, useStore } from '../../shared/store.js';
import { Button, PageLink } from '../../shared/ui/controls.js';
import { WINNINGS_ID } from '../../shared/ui/go-to.js';
import { ShareButton } from '../../shared/ui/share-button.js';
import './new-wins.css';

/** The gamer's newest win of the last day that this gamer did not dismiss in this browser. */
export function NewWins() {
  const { data: gamer } = useGamer();
  return gamer?.newestWin ? <NewWin key={gamer.id} gamer={gamer} win={gamer.newestWin} /> : null;
}

function NewWin({ gamer, win }: { gamer: GamerProfile; win: NonNullable<GamerProfile['newestWin']> }) {
  const [dismissedRoundId] = useState(() => createStoredText(`omni.win-dismissed.${gamer.id}`));
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
        shared={{
          title: 'Omni Jackpot',
          text: `I won ${formatCents(win.jackpotCents)} in round ${win.roundId} of Omni Jackpot.`,
          url: referralUrl(gamer.refCode),
        }}
      />
      <Button className="new-wins-close" icon={X} aria-label="Dismiss" onClick={dismiss} />
    </aside>
  );
}
