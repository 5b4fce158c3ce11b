import { useState } from 'react';
import type { GamerSession } from '../../../../contracts/http/accounts.js';
import type { GenealogyResponse } from '../../../../contracts/http/gamers.js';
import { formatCents } from '../../../../contracts/money.js';
import { counted } from '../../shared/format/clock-text.js';
import { referralUrl } from '../../shared/session/referral-url.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { ShareButton } from '../../shared/ui/share-button.js';
import { GenealogyDialog } from './genealogy-dialog.js';
import { LevelList } from './level-list.js';
import { LevelWinnings } from './level-winnings.js';
import { levelsOf } from './levels.js';
import { useGenealogy } from './matrix.queries.js';

export function MyMatrix({ session }: { session: GamerSession }) {
  const { data, isPending, refetch } = useGenealogy(session.id);
  const [exploring, setExploring] = useState(false);
  if (isPending) return <Loading label="Loading your matrix" rows={7} />;
  if (data === undefined) return <LoadFailure text="Failed to load genealogy data" onRetry={() => void refetch()} />;
  const { teamSize } = data.genealogy;
  const levels = levelsOf(data);
  return (
    <div className="duo">
      <div>
        <p className="t14 dim mb-3">
          {teamSize === 0
            ? 'Nobody is seated below you yet.'
            : `${counted(teamSize, 'gamer')} ${teamSize === 1 ? 'is' : 'are'} seated below you.`}
        </p>
        <LevelList levels={levels} />
        {data.levelWinnings.directBonusCents > 0 && (
          <p className="t14 dim mt-3">
            Direct referral cents on top: <b className="won num">{formatCents(data.levelWinnings.directBonusCents)}</b>
          </p>
        )}
        <div className="actions mt-4">
          <button type="button" className="btn btn--line btn--sm" onClick={() => setExploring(true)}>
            Open the seating plan
          </button>
          <ShareButton
            shared={{
              title: 'My matrix at Omni Jackpot',
              text: `My matrix at Omni Jackpot seats ${counted(teamSize, 'gamer')}.`,
              url: referralUrl(session.refCode),
            }}
          >
            Share my matrix
          </ShareButton>
        </div>
        <GenealogyDialog
          me={{ id: session.id, username: session.gamerTag }}
          open={exploring}
          onOpenChange={setExploring}
        />
      </div>
      <div className="grid content-start gap-8">
        <LevelWinnings levels={levels} />
        <DirectReferrals referrals={data.directReferrals} />
      </div>
    </div>
  );
}

function DirectReferrals({ referrals }: { referrals: GenealogyResponse['directReferrals'] }) {
  return (
    <div>
      <h3>My Direct Referrals</h3>
      <p className="t14 dim mt-1 mb-3">
        {referrals.length === 0
          ? 'Nobody has joined with your link yet.'
          : `${counted(referrals.length, 'gamer')} joined with your link.`}
      </p>
      <ul className="refs">
        {referrals.map((gamer) => (
          <li key={gamer.id}>{gamer.username}</li>
        ))}
      </ul>
    </div>
  );
}
