import { DEPOSIT_FEE_PERCENT, MIN_DEPOSIT_DOLLARS, MIN_WITHDRAWAL_CENTS } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { useTerms, useTimers } from '../../shared/board.js';
import { clockText, durationText } from '../../shared/format.js';

export function Rules() {
  const timers = useTimers();
  const { tokenPriceCents, jackpotShareCents, houseShareCents, tokenExtensionSeconds } = useTerms();
  const wait = durationText(timers.pregameDurationSeconds);
  const live = clockText(timers.liveDurationSeconds);
  return (
    <ul className="rules">
      <li>
        <b>{`It opens with ${durationText(timers.liveDurationSeconds)}`}</b>
        <span>{`After ${wait} of waiting, the clock starts at ${live}. A round that the admin forces open starts at 5 minutes.`}</span>
      </li>
      <li>
        <b>{`A token adds ${durationText(tokenExtensionSeconds)}`}</b>
        <span>{`${formatCents(tokenPriceCents)} each. Any gamer can buy any number while the clock runs.`}</span>
      </li>
      <li>
        <b>Zero decides</b>
        <span>The last buyer takes the whole jackpot. Nobody shares it.</span>
      </li>
      <li>
        <b>{`${tokenPriceCents} cents, all accounted for`}</b>
        <span>
          {jackpotShareCents} to the jackpot, {tokenPriceCents - jackpotShareCents - houseShareCents} to the buyer's
          matrix, {houseShareCents} to the house.
        </span>
      </li>
      <li>
        <b>Money in and out</b>
        <span>
          Deposits from ${MIN_DEPOSIT_DOLLARS}, plus a fee of {DEPOSIT_FEE_PERCENT} %. Withdrawals from{' '}
          {formatCents(MIN_WITHDRAWAL_CENTS)}, processed manually in 24-48 hours.
        </span>
      </li>
    </ul>
  );
}
