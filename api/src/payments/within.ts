import { setTimeout as sleep } from 'node:timers/promises';

/** The work's outcome, or the error when it takes longer; the work itself is not stopped, and then nobody's any more. */
export async function within<T>(timeoutMs: number, work: Promise<T>, tooLate: () => Error): Promise<T> {
  const waiting = new AbortController();
  const late = sleep(timeoutMs, undefined, { signal: waiting.signal, ref: false }).then(() => {
    throw tooLate();
  });
  // Whichever loses the race may still fail, unheard.
  late.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    waiting.abort();
  }
}
