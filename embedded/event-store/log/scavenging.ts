import type { EventLog } from './event-log.js';

/** Scavenges newly tombstoned streams at intervals, and at the start those of former runs. Returns a function that ends this. */
export function scavengeRegularly(log: EventLog, intervalMs: number): () => Promise<void> {
  let isBegun = false;
  let pass: Promise<void> | undefined;
  const next = async () => {
    try {
      if (!isBegun) await log.findTombstones();
      isBegun = true;
      await log.scavengeNewTombstones();
    } catch (error) {
      console.error(`Scavenging failed and will be tried again: ${(error as Error).message}`);
    }
  };
  const timer = setInterval(() => {
    pass ??= next().finally(() => {
      pass = undefined;
    });
  }, intervalMs);
  return async () => {
    clearInterval(timer);
    await pass;
  };
}
