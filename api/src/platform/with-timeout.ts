/** The promise's outcome; rejects with `onTimeout()` when it takes longer than `timeoutMs`. The work itself is not stopped. */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number, onTimeout: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onTimeout()), timeoutMs).unref();
  });
  // The promise that loses the race may still reject: without this handler that would end the process.
  promise.catch(() => {});
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
