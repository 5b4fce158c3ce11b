import { useLayoutEffect, useRef } from 'react';
import { isClockKnown, watchSeconds } from '../clock.js';
import { clockText } from '../format.js';
import { isDown, useConnection } from '../live/live-events.js';
import { useStore } from '../store.js';

/** A countdown's digits and its spoken name, drawn every second without a render. Grey while the time is not certain. */
export function Countdown({ endsAtMs, className = '' }: { endsAtMs: number; className?: string }) {
  const ref = useRef<HTMLElement>(null);
  const isLost = isDown(useConnection());
  const isApproximate = !useStore(isClockKnown) || isLost;
  useLayoutEffect(
    () =>
      watchSeconds(endsAtMs, (seconds) => {
        const text = clockText(seconds ?? 0);
        ref.current?.replaceChildren(text);
        ref.current?.setAttribute('aria-label', `Time remaining ${text}`);
      }),
    [endsAtMs],
  );
  return <b ref={ref} role="timer" className={`num ${isApproximate ? 'faint' : className}`} />;
}
