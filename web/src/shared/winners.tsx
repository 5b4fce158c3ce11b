import type { Winner, WinnersResponse } from '../../../contracts/http/rounds.js';
import type { RoundId } from '../../../contracts/ids.js';
import { useApi } from './api/api-client.js';
import { formatCents } from './format.js';

export const WINNERS_KEY = ['/api', 'winners'] as const;

export const useWinners = () => useApi<WinnersResponse>(WINNERS_KEY);

type RoundEndProps = { roundId: RoundId; winner: Winner | undefined; isReset?: boolean };

/** A line in a feed where a round ends. A round without a buyer, or one that was reset, has no winner. */
export const RoundEnd = ({ roundId, winner, isReset = false }: RoundEndProps) => (
  <li className="round-end">
    Round {roundId} {isReset ? 'was reset: nobody won' : 'ended'}
    {winner && (
      <>
        : <b>{winner.winnerGamerTag}</b> won <b className="num won">{formatCents(winner.jackpotCents)}</b>
      </>
    )}
  </li>
);
