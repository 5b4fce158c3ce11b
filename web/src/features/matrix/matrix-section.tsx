import { type CSSProperties, useState } from 'react';
import type { GamerSession } from '../../../../contracts/http/accounts.js';
import type { GenealogyResponse } from '../../../../contracts/http/gamers.js';
import { LEVEL_CAPACITIES } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { counted } from '../../shared/format/clock-text.js';
import { referralUrl } from '../../shared/session/referral-url.js';
import { useSession } from '../../shared/session/session.queries.js';
import { Act } from '../../shared/ui/act.js';
import { Locked } from '../../shared/ui/locked.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { ShareButton } from '../../shared/ui/share-button.js';
import { GenealogyDialog } from './genealogy-dialog.js';
import { LevelWinnings } from './level-winnings.js';
import { type Level, levelsOf } from './levels.js';
import { useGenealogy } from './matrix.queries.js';
import './matrix.css';

/** The gamer's 3x7 matrix, level by level. Blurred for visitors. */
export function MatrixSection() {
  const session = useSession();
  return (
    <Act title="My 3x7 Matrix Genealogy" lead={<p>Places fill from the front row back, by themselves.</p>}>
      {session ? (
        <MyMatrix session={session} />
      ) : (
        <Locked why="Log in to see your matrix">
          <Levels
            levels={LEVEL_CAPACITIES.map((capacity, place) => ({
              number: place + 1,
              count: 0,
              capacity,
              winningsCents: 0,
            }))}
          />
        </Locked>
      )}
    </Act>
  );
}

function MyMatrix({ session }: { session: GamerSession }) {
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
        <Levels levels={levels} />
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

function Levels({ levels }: { levels: Level[] }) {
  return (
    <ol className="levels">
      {levels.map(({ number, count, capacity, winningsCents }) => (
        <li key={number}>
          <b>L{number}</b>
          <span className="bar" aria-hidden="true">
            <i style={{ width: `${Math.min(100, (count / capacity) * 100)}%` } as CSSProperties} />
          </span>
          <span className="n num">
            {count.toLocaleString('en-US')} of {capacity.toLocaleString('en-US')}
          </span>
          <span className={`m num ${winningsCents > 0 ? 'won' : 'faint'}`}>{formatCents(winningsCents)}</span>
        </li>
      ))}
    </ol>
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
