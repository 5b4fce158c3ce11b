/** One try at a command: what is asked for, and the key under which the server remembers it. */
export interface Attempt {
  fingerprint: string;
  key: string;
}

/** The same content again is the same attempt, until it is settled; other content is a new one. */
export function attemptFor(previous: Attempt | null, fingerprint: string, newKey: () => string): Attempt {
  return previous?.fingerprint === fingerprint ? previous : { fingerprint, key: newKey() };
}
