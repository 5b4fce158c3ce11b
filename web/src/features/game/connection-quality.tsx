import { roundTrip } from '../../shared/live/live-events.js';
import { useStore } from '../../shared/store.js';
import './connection-quality.css';

/** The round trip to the server, as a dot and a number: full when quick, half when slow, hollow when too slow to trust. */
export function ConnectionQuality() {
  const ms = useStore(roundTrip);
  if (ms === null) return null;
  const rounded = Math.max(1, Math.round(ms));
  const [className, word] = qualityOf(ms);
  return (
    <span className={`quality ${className} num`} role="img" aria-label={`Connection ${word}, ${rounded} milliseconds`}>
      <i aria-hidden="true" />
      {rounded} ms
    </span>
  );
}

const QUICK_MS = 200;
const SLOW_MS = 1_000;

function qualityOf(ms: number): [className: string, word: string] {
  if (ms < QUICK_MS) return ['', 'good'];
  return ms < SLOW_MS ? ['is-slow', 'slow'] : ['is-poor', 'poor'];
}
