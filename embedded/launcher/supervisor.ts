import { setTimeout as sleep } from 'node:timers/promises';

/** A running child: a process or a server. */
export interface Child {
  /** Resolves to the way it ended, such as `exit code 1`. */
  ended: Promise<string>;
  /** Stops it and releases its resources; also called after it ended by itself. */
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const STABLE_AFTER_MS = 30_000;

/** Starts a child, and again after growing pauses. Throws when the first start fails; `notify` gets the others. */
export async function supervise<C extends Child>(
  name: string,
  start: () => Promise<C>,
  notify: (line: string) => void,
) {
  let current = await start();
  const stopping = new AbortController();
  const supervision = keepRunning(stopping.signal);

  async function keepRunning(signal: AbortSignal): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const startedAtMonotonicMs = performance.now();
      const reason = await current.ended;
      if (signal.aborted) return;
      await current.stop();
      if (performance.now() - startedAtMonotonicMs > STABLE_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
      notify(`The ${name} ended (${reason}); starting it again.`);
      for (let isRunning = false; !isRunning; ) {
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        try {
          current = await start();
          isRunning = true;
          notify(`The ${name} is back.`);
        } catch (error) {
          notify(`${(error as Error).message}\nTrying again in ${(pauseMs / 1000).toFixed(1)} s.`);
        }
      }
    }
  }

  return {
    /** The running child; a new one after each restart. */
    current: () => current,
    async stop() {
      stopping.abort();
      await current.stop();
      await supervision;
      await current.stop(); // A restart may have been under way.
    },
  };
}
