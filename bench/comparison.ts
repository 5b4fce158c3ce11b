import type { Measurement } from './closed-loop.js';
import { diskPaceMs } from './machine.js';
import { say, sayMeasurement, sayRatios } from './report.js';

/** A way to buy, and a round of its load. */
interface Way {
  name: string;
  measure(): Promise<Measurement>;
}

/**
 * Measures rounds of the api and of another way in turns. Prints the median rates, the ratios within the pairs of rounds, because a
 * pair has the same speed of the machine, and the time of a forced write before each pair. Returns the api's round.
 */
export async function compareInTurns(
  title: string,
  rounds: number,
  folder: string,
  api: Way,
  other: Way,
): Promise<Measurement> {
  const apiRounds: Measurement[] = [];
  const otherRounds: Measurement[] = [];
  const pacesMs: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pacesMs.push(diskPaceMs(folder).toFixed(2));
    apiRounds.push(await api.measure());
    otherRounds.push(await other.measure());
  }
  const inPairs = (figure: keyof Measurement, exponent: number) =>
    apiRounds.map((round, index) => (round[figure] / (otherRounds[index] as Measurement)[figure]) ** exponent);
  say(`\n  ${title}, median of ${rounds} rounds`);
  sayMeasurement(api.name, medianRound(apiRounds));
  sayMeasurement(other.name, medianRound(otherRounds));
  sayRatios('ratio of the rates', inPairs('perSecond', 1));
  for (const wait of ['p50', 'p99'] as const) sayRatios(`ratio of the ${wait}`, inPairs(`${wait}Ms`, -1));
  say(`  ${'forcing 8 KiB to disk, before each pair'.padEnd(44)}${pacesMs.join(', ')} ms`);
  return medianRound(apiRounds);
}

/** The round with the median rate; its p50 and p99 are those of the same round. */
function medianRound(rounds: readonly Measurement[]): Measurement {
  const sorted = [...rounds].sort((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor((sorted.length - 1) / 2)] as Measurement;
}

export async function bestConnections(
  choices: readonly number[],
  measure: (connections: number) => Promise<Measurement>,
): Promise<number> {
  say('  the SQL way, by number of connections to Postgres:');
  let best = { connections: 0, perSecond: 0 };
  for (const connections of choices) {
    const measured = await measure(connections);
    sayMeasurement(`  ${connections} connections`, measured);
    if (measured.perSecond > best.perSecond) best = { connections, perSecond: measured.perSecond };
  }
  return best.connections;
}
