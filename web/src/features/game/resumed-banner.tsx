import type { GameState } from '../../../../contracts/http/game.js';
import { durationText } from '../../shared/format/clock-text.js';
import { Notice } from '../../shared/ui/notice.js';

/** Stands for as long as a round runs that outlived an outage. */
export function ResumedBanner({ board }: { board: GameState | null }) {
  if (!board?.resumed || board.gameState !== 'live') return null;
  return (
    <div className="resumed" role="status">
      <Notice tone="time" title="The round goes on after an outage.">
        We were down for {durationText(board.resumed.outageSeconds)}, so the clock went on with the time that was left.
        Downtime does not pick a winner.
      </Notice>
    </div>
  );
}
