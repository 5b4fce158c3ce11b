import type { RoundResult } from '../../../contracts/http/game.js';
import { formatCents } from '../../../contracts/money.js';
import { referralUrl } from '../shared/session/referral-url.js';
import { ShareButton } from '../shared/ui/share-button.js';

export function ShareWin({ result, refCode }: { result: RoundResult; refCode: string }) {
  return (
    <ShareButton
      className="btn btn--line btn--sm mt-2"
      shared={{
        title: 'Omni Jackpot',
        text: `I won ${formatCents(result.jackpotCents)} in round ${result.roundId} of Omni Jackpot.`,
        url: referralUrl(refCode),
      }}
    >
      Share my win
    </ShareButton>
  );
}
