import { setTimeout as sleep } from 'node:timers/promises';

/** Polls, ever less often, until the value satisfies the condition, by default until there is one. Throws with the last value after a minute. */
export async function until<T>(
  read: () => T | Promise<T>,
  condition: (value: T) => boolean = Boolean,
): Promise<NonNullable<T>> {
  const deadlineMonotonicMs = performance.now() + 60_000;
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs + 2, 50)) {
    const value = await read();
    if (condition(value)) return value as NonNullable<T>;
    if (performance.now() > deadlineMonotonicMs)
      throw new Error(`the condition was never met: ${JSON.stringify(value)}`);
    await sleep(pauseMs);
  }
}
