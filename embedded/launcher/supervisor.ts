import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';

/** A running child: a process or a server. */
export interface Child {
  /** Resolves to the way it ended, such as `exit code 1`. */
  ended: Promise<string>;
  /** Stops it and releases its resources; also called after it ended by itself. */
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** Starts a child, and again when it ends, after growing pauses. Throws when the first start fails; `notify` gets the others. */
export async function supervise<C extends Child>(
  name: string,
  start: () => Promise<C>,
  notify: (line: string) => void,
) {
  let current = await start();
  const stopping = new AbortController();
  const { signal } = stopping;
  const retries = {
    retries: Number.POSITIVE_INFINITY,
    minTimeout: FIRST_PAUSE_MS,
    maxTimeout: LONGEST_PAUSE_MS,
    signal,
    onFailedAttempt({ error }: { error: Error }) {
      if (!signal.aborted) notify(error.message);
    },
  };

  async function keepRunning(): Promise<void> {
    for (;;) {
      const reason = await current.ended;
      if (signal.aborted) return;
      await current.stop();
      notify(`The ${name} ended (${reason}); starting it again.`);
      await sleep(FIRST_PAUSE_MS);
      // Assigned within the attempt: a stop meanwhile must find the child.
      await pRetry(async () => {
        current = await start();
      }, retries);
      notify(`The ${name} is back.`);
    }
  }
  const supervision = keepRunning().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

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
