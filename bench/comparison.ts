import { type Measured, quantile } from './closed-loop.js';
import { diskPaceMs } from './machine.js';
import { say, sayMeasured } from './report.js';

/** A way to buy, and a round of its load. */
interface Way {
  name: string;
  measure(): Promise<Measured>;
}

/**
 * Measures rounds of the api and of another way in turns. Prints the round of each with the median rate; the median, over the
 * pairs of rounds, of the ratios of rate and waits: a pair's rounds have the same speed of the machine, other rounds do not;
 * each pair's ratios of the rates and of the median waits; and the time of a forced write before each pair. Returns the api's round.
 */
export async function compareInTurns(
  title: string,
  rounds: number,
  folder: string,
  api: Way,
  other: Way,
): Promise<Measured> {
  const ofApi: Measured[] = [];
  const ofOther: Measured[] = [];
  const pacesMs: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pacesMs.push(diskPaceMs(folder).toFixed(2));
    ofApi.push(await api.measure());
    ofOther.push(await other.measure());
  }
  const inPairs = (ratio: (api: Measured, other: Measured) => number) =>
    ofApi.map((round, index) => ratio(round, ofOther[index] as Measured));
  const rates = inPairs((api, other) => api.perSecond / other.perSecond);
  const p50s = inPairs((api, other) => other.p50Ms / api.p50Ms);
  const p99s = inPairs((api, other) => other.p99Ms / api.p99Ms);
  say(`\n  ${title}, median of ${rounds} rounds`);
  sayMeasured(api.name, medianRound(ofApi));
  sayMeasured(other.name, medianRound(ofOther));
  const [rate, p50, p99] = [rates, p50s, p99s].map((ratios) => `${quantile(ratios, 0.5).toFixed(2)}×`);
  say(`  ${'ratio'.padEnd(44)}${rate?.padStart(10)}  ${p50?.padStart(12)}  ${p99?.padStart(12)}`);
  const list = (ratios: number[]) => ratios.map((ratio) => ratio.toFixed(2)).join(', ');
  say(`  ${'ratio of the rates in each pair'.padEnd(44)}${list(rates)}`);
  say(`  ${'ratio of the p50 in each pair'.padEnd(44)}${list(p50s)}`);
  say(`  ${'forcing 8 KiB to disk, before each pair'.padEnd(44)}${pacesMs.join(', ')} ms`);
  return medianRound(ofApi);
}

/** The round with the median rate; its p50 and p99 are those of the same round. */
function medianRound(rounds: readonly Measured[]): Measured {
  const sorted = [...rounds].sort((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor((sorted.length - 1) / 2)] as Measured;
}

export async function bestConnections(
  choices: readonly number[],
  measure: (connections: number) => Promise<Measured>,
): Promise<number> {
  say('  the SQL way, by number of connections to Postgres:');
  let best = { connections: 0, perSecond: 0 };
  for (const connections of choices) {
    const measured = await measure(connections);
    sayMeasured(`  ${connections} connections`, measured);
    if (measured.perSecond > best.perSecond) best = { connections, perSecond: measured.perSecond };
  }
  return best.connections;
}
