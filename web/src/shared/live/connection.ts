import { useSyncExternalStore } from 'react';

/**
 * `connecting` is the first time and says nothing on screen; `lost` has a running attempt of ten; `given-up` waits for a
 * person or for the browser to come online.
 */
export type Connection =
  | { state: 'connecting' }
  | { state: 'connected' }
  | { state: 'lost'; attempt: number; sinceMs: number }
  | { state: 'given-up'; sinceMs: number };

let connection: Connection = { state: 'connecting' };
const listeners = new Set<() => void>();

export function setConnection(next: Connection): void {
  connection = next;
  for (const listener of listeners) listener();
}

export const currentConnection = (): Connection => connection;

export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    currentConnection,
    currentConnection,
  );
}

export const isDown = (c: Connection): boolean => c.state === 'lost' || c.state === 'given-up';
