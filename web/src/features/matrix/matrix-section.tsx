import type { GamerSession } from '../../../../contracts/http/accounts.js';
import { LEVEL_CAPACITIES } from '../../../../contracts/limits.js';
import { useSession } from '../../shared/session/session.queries.js';
import { Act } from '../../shared/ui/act.js';
import { Late, latePart } from '../../shared/ui/late.js';
import { Locked } from '../../shared/ui/locked.js';
import { LevelList } from './level-list.js';
import './matrix.css';

const myMatrix = latePart<{ session: GamerSession }>(() => import('./my-matrix.js').then((module) => module.MyMatrix), {
  label: 'Loading your matrix',
  rows: 7,
});

/** The gamer's 3x7 matrix, level by level. Blurred for visitors. */
export function MatrixSection() {
  const session = useSession();
  return (
    <Act title="My 3x7 Matrix Genealogy" lead={<p>Places fill from the front row back, by themselves.</p>}>
      {session ? (
        <Late part={myMatrix} props={{ session }} />
      ) : (
        <Locked why="Log in to see your matrix">
          <LevelList
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
