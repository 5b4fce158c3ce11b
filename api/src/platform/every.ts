import { alignedInterval } from '../../../event-log/aligned-interval.js';

export interface Periodic {
  /** Starts a run now, unless one is under way. */
  runNow(): void;
  /** Ends the repetition; resolves when the run under way has ended. */
  stop(): Promise<void>;
}

/** Runs `task` every `intervalMs`, never twice at once. Reports a failed run to `onError` and continues. */
export function every(intervalMs: number, task: () => Promise<void>, onError: (error: Error) => void): Periodic {
  let running: Promise<void> | undefined;
  const runNow = (): void => {
    running ??= task()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  };
  const stop = alignedInterval(intervalMs, runNow);
  return {
    runNow,
    stop: async () => {
      stop();
      await running;
    },
  };
}

/** The promise's outcome; rejects with `onTimeout()` when it takes longer than `timeoutMs`. The work itself is not stopped. */
export function withTimeout<T>(promise: Promise<T>, timeoutMs: number, onTimeout: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onTimeout()), timeoutMs).unref();
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
