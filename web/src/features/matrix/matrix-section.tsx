import { useSession } from '../../shared/session.queries.js';
import { Act, Locked } from '../../shared/ui/act.js';
import { lazy } from '../../shared/ui/lazy.js';
import { emptyLevels, LevelList } from './levels.js';
import './matrix.css';

const MyMatrix = lazy(() => import('./my-matrix.js'), 'MyMatrix', 'your matrix', 7);

export function MatrixSection() {
  const session = useSession();
  return (
    <Act title="My 3x7 Matrix Genealogy" lead={<p>Places fill automatically, from the front row back.</p>}>
      {session ? (
        <MyMatrix session={session} />
      ) : (
        <Locked why="Log in to see your matrix">
          <LevelList levels={emptyLevels} />
        </Locked>
      )}
    </Act>
  );
}
