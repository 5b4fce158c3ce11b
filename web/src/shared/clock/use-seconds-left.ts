import { useCallback, useSyncExternalStore } from 'react';
import { msUntilNextDigit, secondsLeft } from './countdown.js';
import { onClockChange, serverNow } from './server-clock.js';

/**
 * Whole seconds until a moment of the server's clock; null without one. Each wake-up computes from the clock anew, so a
 * throttled background tab shows the right digits the moment it is looked at.
 */
export function useSecondsLeft(endsAtEpochMs: number | null): number | null {
  const subscribe = useCallback(
    (onChange: () => void) => {
      if (endsAtEpochMs === null) return () => undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const refresh = () => {
        clearTimeout(timer);
        onChange();
        const wait = msUntilNextDigit(endsAtEpochMs - serverNow());
        if (wait !== null) timer = setTimeout(refresh, wait + 1);
      };
      const stopListening = onClockChange(refresh);
      document.addEventListener('visibilitychange', refresh);
      refresh();
      return () => {
        clearTimeout(timer);
        stopListening();
        document.removeEventListener('visibilitychange', refresh);
      };
    },
    [endsAtEpochMs],
  );
  return useSyncExternalStore(
    subscribe,
    () => (endsAtEpochMs === null ? null : secondsLeft(endsAtEpochMs - serverNow())),
    () => null,
  );
}
