import type { RoundResult } from '../../../contracts/http/game.js';
import { formatCents } from '../shared/format.js';
import { referralUrl } from '../shared/session.queries.js';
import { PageLink } from '../shared/ui/controls.js';
import { WINNINGS_ID } from '../shared/ui/go-to.js';
import { ShareButton } from '../shared/ui/share-button.js';

export default function ShareWin({ result, refCode }: { result: RoundResult; refCode: string }) {
  return (
    <div className="actions mt-2">
      <ShareButton
        className="btn btn--line btn--sm"
        text="Share my win"
        shared={{
          title: 'Omni Jackpot',
          text: `I won ${formatCents(result.jackpotCents)} in round ${result.roundId} of Omni Jackpot.`,
          url: referralUrl(refCode),
        }}
      />
      <PageLink className="btn btn--line btn--sm" to="/" hash={WINNINGS_ID} text="See My Winnings" />
    </div>
  );
}
