import type { GameState } from '../../../../contracts/http/game.js';
import { useBoardPart } from '../../shared/board.js';
import { isDown, useConnection } from '../../shared/live/live-events.js';
import { phaseLabel } from '../../shared/phase-label.js';
import { Countdown } from '../../shared/ui/countdown.js';

const phaseOf = ({ gameState, endsAtEpochMs }: GameState) => ({ gameState, endsAtEpochMs });

/** The phase that the game is in now, with the time left where the label asks for it. Screen readers hear no change. */
export function CurrentPhase() {
  const phase = useBoardPart(phaseOf);
  const isLost = isDown(useConnection());
  const label = phase === undefined ? 'Loading Game Status' : phaseLabel(phase.gameState);
  const endsAtEpochMs = label.endsWith(':') ? (phase?.endsAtEpochMs ?? null) : null;
  return (
    <div className="mb-5">
      <p className="label">Right now</p>
      <p className="h3">
        {label}{' '}
        {endsAtEpochMs !== null && (
          <Countdown className={`num ${isLost ? 'faint' : 'time'}`} endsAtEpochMs={endsAtEpochMs} />
        )}
      </p>
    </div>
  );
}
