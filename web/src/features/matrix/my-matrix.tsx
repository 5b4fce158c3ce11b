import { useState } from 'react';
import type { GamerSession } from '../../../../contracts/http/gamers.js';
import type { MatrixGamer } from '../../../../contracts/http/matrix.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { counted, formatCents } from '../../shared/format.js';
import { Pages } from '../../shared/lists/pages.js';
import { Button } from '../../shared/ui/controls.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { lazy } from '../../shared/ui/lazy.js';
import { LoadFailure, Loading } from '../../shared/ui/query-result.js';
import { ShareButton } from '../../shared/ui/share-button.js';
import { scrollable } from '../../shared/ui/table.js';
import { type Level, LevelList, levelsOf, useGenealogy } from './levels.js';

export default function MyMatrix({ session }: { session: GamerSession }) {
  const { data, isPending, refetch } = useGenealogy(session.id);
  const [exploring, setExploring] = useState(false);
  const close = () => setExploring(false);
  const [path, setPath] = useState<MatrixGamer[]>([]);
  if (isPending) return <Loading label="Loading your matrix" rows={7} />;
  if (data === undefined) return <LoadFailure text="Failed to load genealogy data" onRetry={refetch} />;
  const { teamSize } = data.genealogy;
  const levels = levelsOf(data);
  const me = { id: session.id, username: session.gamerTag };
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
            Direct referral bonus: <b className="won num">{formatCents(data.levelWinnings.directBonusCents)}</b>
          </p>
        )}
        <div className="actions mt-4">
          <Button kind="line sm" text="Open the seating plan" onClick={() => setExploring(true)} />
          <ShareButton
            text="Share my matrix"
            shareTitle="My matrix at Omni Jackpot"
            shareText={`My matrix at Omni Jackpot seats ${counted(teamSize, 'gamer')}.`}
          />
        </div>
        <Dialog wide open={exploring} title={`${(path.at(-1) ?? me).username}'s Genealogy Tree`} onClose={close}>
          <GenealogyExplorer me={me} path={path} onPath={setPath} onClose={close} />
        </Dialog>
      </div>
      <div className="grid content-start gap-8">
        <LevelWinnings levels={levels} />
        <DirectReferrals gamerId={session.id} count={data.directReferralCount} />
      </div>
    </div>
  );
}

function LevelWinnings({ levels }: { levels: Level[] }) {
  const highest = Math.max(...levels.map(({ winningsCents }) => winningsCents));
  if (highest <= 0) return null;
  const description = levels
    .map(({ number, winningsCents }) => `level ${number} ${formatCents(winningsCents)}`)
    .join(', ');
  return (
    <figure className="level-winnings">
      <figcaption>
        <h3>Winnings per level</h3>
      </figcaption>
      <div className="arches" role="img" aria-label={`Winnings: ${description}`}>
        {levels.map(({ number, winningsCents }) => (
          <span key={number} title={`Level ${number}: ${formatCents(winningsCents)}`}>
            <i
              className={winningsCents > 0 ? '' : 'is-none'}
              style={{ height: `${(winningsCents / highest) * 100}%` }}
            />
            <b>L{number}</b>
          </span>
        ))}
      </div>
    </figure>
  );
}

const DirectReferrals = ({ gamerId, count }: { gamerId: GamerId; count: number }) => (
  <div>
    <h3>My Direct Referrals</h3>
    {count > 0 && <p className="t14 dim mt-1 mb-3">{`${counted(count, 'gamer')} joined with your link.`}</p>}
    <Pages<MatrixGamer>
      path={['/api', 'genealogy', gamerId, 'direct-referrals']}
      version={count}
      name="gamers"
      empty="Nobody has joined with your link yet."
    >
      {(gamers) => (
        <div className="refs" {...scrollable('My direct referrals')}>
          <ul>
            {gamers.map((gamer) => (
              <li key={gamer.id}>{gamer.username}</li>
            ))}
          </ul>
        </div>
      )}
    </Pages>
  </div>
);

const GenealogyExplorer = lazy(() => import('./genealogy-explorer.js'), 'the genealogy explorer', 8);
