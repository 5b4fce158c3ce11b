import { WifiOff } from 'lucide-react';
import { isDown, useConnection } from '../shared/live/connection.js';
import { RECONNECT_ATTEMPTS, reconnect } from '../shared/live/live-socket.js';

/** Shows while the realtime connection is down; after the last attempt a person may start again. */
export function ConnectionBanner() {
  const connection = useConnection();
  if (!isDown(connection)) return null;
  const gaveUp = connection.state === 'given-up';
  return (
    <div className="linebanner" role="alert">
      <WifiOff className="bad" size={18} aria-hidden="true" />
      <p>
        <b>Connection lost - Attempting to reconnect...</b>
        <br />
        {gaveUp
          ? `All ${RECONNECT_ATTEMPTS} attempts failed.`
          : connection.state === 'lost' && (
              <span aria-live="off">
                Attempt {connection.attempt} of {RECONNECT_ATTEMPTS}.
              </span>
            )}{' '}
        The round goes on without us.
      </p>
      {gaveUp && (
        <button type="button" className="btn btn--line btn--sm" onClick={reconnect}>
          Reconnect
        </button>
      )}
    </div>
  );
}
