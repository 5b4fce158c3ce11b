import type { Winner } from '../../../../contracts/http/rounds.js';
import type { RoundId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';

/** A line in a feed where a round ends. A round without a buyer, or one that was reset, has no winner. */
export const RoundEnd = ({ roundId, winner }: { roundId: RoundId; winner: Winner | undefined }) => (
  <li className="round-end">
    Round {roundId} ended
    {winner && (
      <>
        : <b>{winner.winnerGamerTag}</b> won <b className="num won">{formatCents(winner.jackpotCents)}</b>
      </>
    )}
  </li>
);
