/** Calls `tick` at multiples of `intervalMs`, because idle wake-ups are expensive. Returns a function that stops it. */
export function alignedInterval(intervalMs: number, tick: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    timer = setTimeout(() => {
      wait();
      tick();
    }, untilMultipleMs(intervalMs)).unref();
  };
  wait();
  return () => clearTimeout(timer);
}

/** Milliseconds to a multiple of the interval: the next one, or the one after it when the next is less than half an interval away. */
export function untilMultipleMs(intervalMs: number, nowMonotonicMs = performance.now()): number {
  // A timer may fire a millisecond early. Without the half it would fire twice.
  const leftMs = intervalMs - (nowMonotonicMs % intervalMs);
  return leftMs < intervalMs / 2 ? leftMs + intervalMs : leftMs;
}

/** The promise's outcome; rejects with `onTimeout()` when it takes longer than `timeoutMs`. The work itself is not stopped. */
export function withTimeout<T>(promise: Promise<T>, timeoutMs: number, onTimeout: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onTimeout()), timeoutMs).unref();
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
