import { useEffect, useState } from 'react';
import { onClockChange, serverNow } from './server-clock.js';

/** The server's time, refreshed every `everyMs`: for labels such as "2 minutes ago". */
export function useServerNow(everyMs = 15_000): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const refresh = () => setNow(serverNow());
    const timer = setInterval(refresh, everyMs);
    const stopListening = onClockChange(refresh);
    return () => {
      clearInterval(timer);
      stopListening();
    };
  }, [everyMs]);
  return now;
}
