import type { CSSProperties } from 'react';
import type { GenealogyResponse } from '../../../../contracts/http/gamers.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { LEVEL_CAPACITIES } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { counted } from '../../shared/format/clock-text.js';
import { useSession } from '../../shared/session/session.queries.js';
import { Act } from '../../shared/ui/act.js';
import { Locked } from '../../shared/ui/locked.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { type Level, levelsOf } from './levels.js';
import { useGenealogy } from './matrix.queries.js';
import './matrix.css';

/** The gamer's 3x7 matrix, level by level. Blurred for visitors. */
export function MatrixSection() {
  const session = useSession();
  return (
    <Act title="My 3x7 Matrix Genealogy" lead={<p>Places fill from the front row back, by themselves.</p>}>
      {session ? (
        <MyMatrix id={session.id} />
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

function MyMatrix({ id }: { id: GamerId }) {
  const { data, isPending, refetch } = useGenealogy(id);
  if (isPending) return <Loading label="Loading your matrix" rows={7} />;
  if (data === undefined) return <LoadFailure text="Failed to load genealogy data" onRetry={() => void refetch()} />;
  const { teamSize } = data.genealogy;
  return (
    <div className="duo">
      <div>
        <p className="t14 dim mb-3">
          {teamSize === 0
            ? 'Nobody is seated below you yet.'
            : `${counted(teamSize, 'gamer')} ${teamSize === 1 ? 'is' : 'are'} seated below you.`}
        </p>
        <Levels levels={levelsOf(data)} />
        {data.levelWinnings.directBonusCents > 0 && (
          <p className="t14 dim mt-3">
            Direct referral cents on top: <b className="won num">{formatCents(data.levelWinnings.directBonusCents)}</b>
          </p>
        )}
      </div>
      <DirectReferrals referrals={data.directReferrals} />
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
