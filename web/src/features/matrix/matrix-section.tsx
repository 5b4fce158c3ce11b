import { Act, NeedsSession } from '../../shared/ui/act.js';
import { lazy } from '../../shared/ui/lazy.js';
import { emptyLevels, LevelList } from './levels.js';
import './matrix.css';

const MyMatrix = lazy(() => import('./my-matrix.js'), 'MyMatrix', 'your matrix', 7);

export const MatrixSection = () => (
  <Act title="My 3x7 Matrix Genealogy" lead={<p>Places fill automatically, from the front row back.</p>}>
    <NeedsSession why="Log in to see your matrix" preview={<LevelList levels={emptyLevels} />}>
      {(session) => <MyMatrix session={session} />}
    </NeedsSession>
  </Act>
);
