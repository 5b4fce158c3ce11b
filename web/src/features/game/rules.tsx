import { unitsOf } from '../../../../contracts/durations.js';
import { LAUNCH_AT_EPOCH_MS } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { useTerms, useTimers } from '../../shared/board.js';
import { useSecondsLeft } from '../../shared/clock.js';
import { clockText, durationText } from '../../shared/format.js';

/** The header's rules and launch countdown (specification §2). */
export function HeaderRules() {
  const { tokenPriceCents, tokenExtensionSeconds } = useTerms();
  const secondsLeft = useSecondsLeft(LAUNCH_AT_EPOCH_MS) ?? 0;
  const { days, hours, minutes, seconds } = unitsOf(secondsLeft);
  return (
    <>
      <ul className="header-rules" aria-label="Rules">
        <li>Last buyer before zero wins the jackpot.</li>{' '}
        <li>
          A token costs {formatCents(tokenPriceCents)} and adds {durationText(tokenExtensionSeconds)}.
        </li>
      </ul>
      <span>
        The game launches Wednesday October 1st at 12PM EST.{' '}
        <b className="num" role="timer" aria-label="Launch countdown">
          {secondsLeft === 0 ? 'LAUNCHED!' : `${days} days ${hours % 24} hours ${minutes} minutes ${seconds} seconds`}
        </b>
      </span>
    </>
  );
}

export function Rules() {
  const timers = useTimers();
  const { tokenPriceCents, jackpotShareCents, houseShareCents, tokenExtensionSeconds } = useTerms();
  const live = clockText(timers.liveDurationSeconds);
  return (
    <ul className="rules">
      <li>
        <b>It opens with {durationText(timers.liveDurationSeconds)}</b>
        <span>
          After {durationText(timers.pregameDurationSeconds)} of waiting, the clock starts at {live}.
        </span>
      </li>
      <li>
        <b>A token adds {durationText(tokenExtensionSeconds)}</b>
        <span>{formatCents(tokenPriceCents)} each. Any gamer can buy any number while the clock runs.</span>
      </li>
      <li>
        <b>Zero decides</b>
        <span>The last buyer takes the whole jackpot. Nobody shares it.</span>
      </li>
      <li>
        <b>{tokenPriceCents} cents, all accounted for</b>
        <span>
          {jackpotShareCents} to the jackpot, {tokenPriceCents - jackpotShareCents - houseShareCents} to the buyer's
          matrix, {houseShareCents} to the house.
        </span>
      </li>
    </ul>
  );
}
