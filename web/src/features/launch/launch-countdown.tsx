import { LAUNCH_AT_EPOCH_MS } from '../../../../contracts/limits.js';
import { useSecondsLeft } from '../../shared/clock/use-seconds-left.js';
import { launchParts } from './launch.js';

export function LaunchCountdown() {
  const parts = launchParts(useSecondsLeft(LAUNCH_AT_EPOCH_MS) ?? 0);
  return (
    <p>
      The game launches Wednesday October 1st at 12PM EST.{' '}
      <b className="time num" role="timer" aria-label="Launch countdown">
        {parts === null ? 'LAUNCHED!' : parts.map((p) => `${p.value} ${p.unit}`).join(' ')}
      </b>
    </p>
  );
}
