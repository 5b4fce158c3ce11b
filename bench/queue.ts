import { quantile } from './closed-loop.js';
import { heading, ms, say, whole } from './report.js';

/** Purchases in the 900,000 bytes of an append. */
const MOST_AT_ONCE = 490;
const SIMULATED_MS = 60_000;

/**
 * Simulates the ledger's queue: an append takes all who wait, and meanwhile the next gather.
 * @param arrivalsMs in order @param isClosed whether each buyer buys again when answered
 */
function simulate(fixedMs: number, eachMs: number, arrivalsMs: number[], isClosed: boolean) {
  const waits: number[] = [];
  let nowMs = 0;
  let appends = 0;
  for (let next = 0; next < arrivalsMs.length && nowMs < SIMULATED_MS; appends += 1) {
    nowMs = Math.max(nowMs, arrivalsMs[next] as number);
    const from = next;
    while (next - from < MOST_AT_ONCE && (arrivalsMs[next] ?? Number.POSITIVE_INFINITY) <= nowMs) next += 1;
    nowMs += fixedMs + (next - from) * eachMs;
    for (const arrivedMs of arrivalsMs.slice(from, next)) waits.push(nowMs - arrivedMs);
    if (isClosed) for (let buyer = from; buyer < next; buyer += 1) arrivalsMs.push(nowMs);
  }
  return { perSecond: (waits.length * 1_000) / nowMs, batch: waits.length / appends, waits };
}

/** Simulates the measured crowds and others, also with slower forced writes. The rates of 1 and 100 buyers give an append's time. */
export function printQueue(rates: ReadonlyMap<number, number>): void {
  heading('The queue, simulated from the rates of 1 and 100 buyers');
  const [ofOneMs = 0, ofHundredMs = 0] = [1, 100].map((buyers) => (1_000 * buyers) / (rates.get(buyers) as number));
  const eachMs = (ofHundredMs - ofOneMs) / 99;
  const fixedMs = ofOneMs - eachMs;
  say(`  an append takes ${ms(fixedMs)}, and ${ms(eachMs)} for each purchase`);
  for (const addedMs of [0, 2, 4, 10]) {
    say(`\n  with ${addedMs} ms more for a forced write`);
    for (const [buyers, measured] of rates) {
      const { perSecond } = simulate(fixedMs + addedMs, eachMs, Array(buyers).fill(0), true);
      const beside = addedMs === 0 ? `, measured ${whole(measured)}/s` : '';
      say(`  ${whole(buyers)} at once: ${whole(perSecond)}/s${beside}`);
    }
    for (const perSecond of [50, 500, 5_000]) {
      let atMs = 0;
      const arrivals = Array.from({ length: (perSecond * SIMULATED_MS) / 1_000 }, () => {
        atMs -= (Math.log(1 - Math.random()) * 1_000) / perSecond;
        return atMs;
      });
      const { waits, batch } = simulate(fixedMs + addedMs, eachMs, arrivals, false);
      const [p50, p99] = [0.5, 0.99].map((share) => ms(quantile(waits, share)));
      say(`  ${whole(perSecond)} a second: ${batch.toFixed(1)} in an append, p50 ${p50}, p99 ${p99}`);
    }
  }
}
