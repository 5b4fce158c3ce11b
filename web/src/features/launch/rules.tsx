import {
  DEFAULT_TIMERS,
  HOUSE_SHARE_CENTS,
  JACKPOT_SHARE_CENTS,
  TOKEN_PRICE_CENTS,
} from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { useBoard } from '../../shared/board/board.queries.js';
import { clockText, durationText } from '../../shared/format/clock-text.js';

const matrixShareCents = TOKEN_PRICE_CENTS - JACKPOT_SHARE_CENTS - HOUSE_SHARE_CENTS;

/** How a round runs, with the timers in force. */
export function Rules() {
  const { data: board } = useBoard();
  const timers = board?.timers ?? DEFAULT_TIMERS;
  const live = clockText(timers.liveDurationSeconds);
  return (
    <ul className="rules">
      <li>
        <b>It opens with {durationText(timers.liveDurationSeconds)}</b>
        <span>
          First {durationText(timers.pregameDurationSeconds)} of waiting, then the clock starts at {live}.
        </span>
      </li>
      <li>
        <b>A token adds {durationText(timers.tokenExtensionSeconds)}</b>
        <span>{formatCents(TOKEN_PRICE_CENTS)} each. Any gamer, any number, while the clock runs.</span>
      </li>
      <li>
        <b>Zero decides</b>
        <span>The last buyer takes the whole jackpot. Nobody shares it.</span>
      </li>
      <li>
        <b>{TOKEN_PRICE_CENTS} cents, all accounted for</b>
        <span>
          {JACKPOT_SHARE_CENTS} to the jackpot, {matrixShareCents} to the buyer's matrix, {HOUSE_SHARE_CENTS} to the
          house.
        </span>
      </li>
    </ul>
  );
}
