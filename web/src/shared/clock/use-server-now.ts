import { useEffect, useReducer } from 'react';
import { onClockChange, serverNow } from './server-clock.js';

/** The server's time at this render; renders again every `everyMs`: for labels such as "2 minutes ago". */
export function useServerNow(everyMs = 15_000): number {
  const [, renderAgain] = useReducer((renders: number) => renders + 1, 0);
  useEffect(() => {
    const timer = setInterval(renderAgain, everyMs);
    const stopListening = onClockChange(renderAgain);
    return () => {
      clearInterval(timer);
      stopListening();
    };
  }, [everyMs]);
  return serverNow();
}
