import { setTimeout as sleep } from 'node:timers/promises';

/** What a stretch of load came to. */
export interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface ClosedLoop {
  /** How many ask at the same time; each asks again as soon as it is answered. */
  buyers: number;
  warmUpMs: number;
  durationMs: number;
  /** One purchase of this buyer (0, 1, 2 …), confirmed. A throw ends the run. */
  buy(buyer: number): Promise<unknown>;
}

/** Runs a load and measures what was answered between the end of the warm-up and the end of the duration. */
export async function closedLoop({ buyers, warmUpMs, durationMs, buy }: ClosedLoop): Promise<Measured> {
  const latenciesMs: number[] = [];
  let counting = false;
  let stopping = false;
  const keepBuying = async (buyer: number): Promise<void> => {
    while (!stopping) {
      const from = performance.now();
      await buy(buyer);
      if (counting) latenciesMs.push(performance.now() - from);
    }
  };
  const buying = Promise.all(Array.from({ length: buyers }, (_, buyer) => keepBuying(buyer)));
  const measuring = async (): Promise<number> => {
    await sleep(warmUpMs);
    counting = true;
    const from = performance.now();
    await sleep(durationMs);
    counting = false;
    stopping = true;
    return performance.now() - from;
  };
  const [elapsedMs] = await Promise.all([measuring(), buying]);
  return summary(latenciesMs, elapsedMs);
}

export function summary(latenciesMs: number[], elapsedMs: number): Measured {
  const sorted = Float64Array.from(latenciesMs).sort();
  if (sorted.length === 0) throw new Error('nothing was answered in the time measured');
  return {
    perSecond: (sorted.length / elapsedMs) * 1000,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
  };
}

/** Of sorted values, by the nearest rank. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] as number;
}

/** The round in the middle by its rate, so that its p50 and p99 belong together with it. */
export function medianRound(rounds: readonly Measured[]): Measured {
  const sorted = [...rounds].sort((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor((sorted.length - 1) / 2)] as Measured;
}
