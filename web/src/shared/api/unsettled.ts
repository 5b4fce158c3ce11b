/**
 * Commands that were sent and got no definite answer: what was asked for, and the key under which the server knows it.
 * The same content again repeats the key, from wherever on the page it is sent, until the attempt is settled.
 */
export interface Unsettled {
  keyFor(content: string): string;
  settle(content: string): void;
}

/** As many failed attempts as a person may have open; beyond it the oldest is forgotten. */
const ATTEMPTS_KEPT = 50;

export function unsettledAttempts(newKey: () => string, kept = ATTEMPTS_KEPT): Unsettled {
  const keys = new Map<string, string>();
  return {
    keyFor(content) {
      const key = keys.get(content) ?? newKey();
      // Deleted first, so that the map's order is that of the last try.
      keys.delete(content);
      keys.set(content, key);
      const [oldest] = keys.keys();
      if (keys.size > kept && oldest !== undefined) keys.delete(oldest);
      return key;
    },
    settle(content) {
      keys.delete(content);
    },
  };
}
