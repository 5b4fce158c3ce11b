import { unitsOf } from '../../../../contracts/durations.js';
import { LAUNCH_AT_EPOCH_MS } from '../../../../contracts/limits.js';
import { useTerms } from '../../shared/board.js';
import { useSecondsLeft } from '../../shared/clock.js';
import { durationText, formatCents } from '../../shared/format.js';

export function HeaderRules() {
  const { tokenPriceCents, tokenExtensionSeconds } = useTerms();
  const secondsLeft = useSecondsLeft(LAUNCH_AT_EPOCH_MS) ?? 0;
  const { days, hours, minutes, seconds } = unitsOf(secondsLeft);
  return (
    <>
      <ul className="header-rules" aria-label="Rules">
        <li>Last buyer before zero wins the jackpot.</li>{' '}
        <li>{`A token costs ${formatCents(tokenPriceCents)} in crypto and adds ${durationText(tokenExtensionSeconds)}.`}</li>
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
