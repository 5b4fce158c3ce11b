import { setTimeout as sleep } from 'node:timers/promises';

export interface Measurement {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  longestMs: number;
}

interface ClosedLoop {
  /** Buyers at the same time; each sends the next purchase when the previous one is answered. */
  buyers: number;
  warmUpMs: number;
  durationMs: number;
  /** Buys once for this buyer (0, 1, 2 …) and waits for the response. An error ends the run. */
  buy(buyer: number): Promise<unknown>;
}

export async function closedLoop({ buyers, warmUpMs, durationMs, buy }: ClosedLoop): Promise<Measurement> {
  const tookMs: number[] = [];
  let isCounting = false;
  let isStopping = false;
  const keepBuying = async (buyer: number): Promise<void> => {
    while (!isStopping) {
      const from = performance.now();
      await buy(buyer);
      if (isCounting) tookMs.push(performance.now() - from);
    }
  };
  const buying = Promise.all(Array.from({ length: buyers }, (_, buyer) => keepBuying(buyer)));
  const measuring = async (): Promise<number> => {
    await sleep(warmUpMs);
    isCounting = true;
    const from = performance.now();
    await sleep(durationMs);
    isCounting = false;
    isStopping = true;
    return performance.now() - from;
  };
  const [elapsedMs] = await Promise.all([measuring(), buying]);
  if (tookMs.length === 0) throw new Error('no purchase was answered in the measured time');
  return measurementOf(tookMs, elapsedMs);
}

/** The rate and the waits of responses that arrived within `elapsedMs`. */
export const measurementOf = (tookMs: readonly number[], elapsedMs: number): Measurement => ({
  perSecond: (tookMs.length / elapsedMs) * 1000,
  p50Ms: quantile(tookMs, 0.5),
  p99Ms: quantile(tookMs, 0.99),
  longestMs: quantile(tookMs, 1),
});

export function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] as number;
}
