import type { Measured } from './closed-loop.js';
import { diskPaceMs } from './machine.js';
import { say, sayMeasured } from './report.js';

/** A way to buy, and a round of its load. */
interface Way {
  name: string;
  measure(): Promise<Measured>;
}

/**
 * Measures rounds of the api and of another way in turns. Prints the round of each with the median rate, the ratios of rate
 * and waits, the ratio of the rates in each pair of rounds, and the time of a forced write before each pair.
 */
export async function compareInTurns(
  title: string,
  rounds: number,
  folder: string,
  api: Way,
  other: Way,
): Promise<void> {
  const ofApi: Measured[] = [];
  const ofOther: Measured[] = [];
  const pacesMs: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pacesMs.push(diskPaceMs(folder).toFixed(2));
    ofApi.push(await api.measure());
    ofOther.push(await other.measure());
  }
  const [one, two] = [medianRound(ofApi), medianRound(ofOther)];
  say(`\n  ${title}, median of ${rounds} rounds`);
  sayMeasured(api.name, one);
  sayMeasured(other.name, two);
  const [rate, p50, p99] = [one.perSecond / two.perSecond, two.p50Ms / one.p50Ms, two.p99Ms / one.p99Ms];
  const ratios = [
    `${rate.toFixed(2)}×`.padStart(10),
    ...[p50, p99].map((ratio) => `${ratio.toFixed(2)}×`.padStart(12)),
  ];
  say(`  ${'ratio'.padEnd(44)}${ratios.join('  ')}`);
  const perRound = ofApi.map(({ perSecond }, round) => perSecond / (ofOther[round] as Measured).perSecond);
  say(`  ${'ratio of the rates in each pair'.padEnd(44)}${perRound.map((ratio) => ratio.toFixed(2)).join(', ')}`);
  say(`  ${'forcing 8 KiB to disk, before each pair'.padEnd(44)}${pacesMs.join(', ')} ms`);
}

/** The round with the median rate; its p50 and p99 are those of the same round. */
function medianRound(rounds: readonly Measured[]): Measured {
  const sorted = [...rounds].sort((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor((sorted.length - 1) / 2)] as Measured;
}

/** Measures the SQL way with each number of connections. Returns the number with the highest rate. */
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
