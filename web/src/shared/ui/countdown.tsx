import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import { watchSeconds } from '../clock.js';
import { clockText } from '../format.js';

/** A countdown's digits and its spoken name, drawn every second without a render. */
export function Countdown({ endsAtEpochMs, ...rest }: ComponentProps<'b'> & { endsAtEpochMs: number }) {
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(
    () =>
      watchSeconds(endsAtEpochMs, (seconds) => {
        const text = clockText(seconds ?? 0);
        ref.current?.replaceChildren(text);
        ref.current?.setAttribute('aria-label', `Time remaining ${text}`);
      }),
    [endsAtEpochMs],
  );
  return <b ref={ref} role="timer" {...rest} />;
}
