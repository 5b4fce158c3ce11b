import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SHORTCUTS, type Shortcut } from '../event-log/fast-client/fast-client.js';
import { quantile } from './closed-loop.js';
import type { Cost, NodeArguments, Work } from './fast-client-node.js';
import { heading, say } from './report.js';
import type { Stores } from './stores.js';

interface Variant {
  name: string;
  node: ChildProcess;
  costs: Record<Work, Cost[]>;
}

/**
 * Measures how much each shortcut of `event-log/fast-client/` saves of a purchase and of a replay: one node runs with all of
 * them, one with none, and one without each. Their rounds alternate; each node has its own event store.
 */
export async function benchFastClient(stores: Stores, rounds: number): Promise<void> {
  heading('Shortcuts of the event store’s client: a whole purchase and a whole replay, with and without each');
  const sets: [string, readonly Shortcut[]][] = [
    ['all shortcuts', SHORTCUTS],
    ['none', []],
    ...SHORTCUTS.map((out): [string, Shortcut[]] => [`without ${out}`, SHORTCUTS.filter((other) => other !== out)]),
  ];
  const variants: Variant[] = [];
  try {
    for (const [index, [name, shortcuts]] of sets.entries()) {
      const { url } = await stores.startEventStore(`bench_fast_client_${index}`);
      variants.push({ name, node: await startNode({ url, shortcuts }), costs: { purchases: [], replay: [] } });
    }
    for (let round = 0; round <= rounds; round += 1) {
      for (const work of ['purchases', 'replay'] as const) {
        for (const variant of variants) {
          const cost = await measure(variant.node, work);
          // The first round warms up.
          if (round > 0) variant.costs[work].push(cost);
        }
      }
    }
    print(variants);
  } finally {
    for (const { node } of variants) node.kill();
  }
}

async function startNode(nodeArguments: NodeArguments): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('./fast-client-node.js', import.meta.url));
  const node = fork(script, [JSON.stringify(nodeArguments)]);
  node.once('exit', (code) => {
    if (code !== null) throw new Error(`a benchmark node ended with code ${code}`);
  });
  await once(node, 'message');
  return node;
}

async function measure(node: ChildProcess, work: Work): Promise<Cost> {
  node.send(work);
  const [cost] = await once(node, 'message');
  return cost as Cost;
}

function print(variants: readonly Variant[]): void {
  const [all] = variants as [Variant];
  for (const work of ['purchases', 'replay'] as const) {
    say(`\n  ${work}: median of ${all.costs[work].length} rounds (lowest to highest), and what the shortcuts save`);
    for (const { name, costs } of variants) {
      const cpu = shown(costs[work], 'cpuUs');
      const wall = shown(costs[work], 'wallUs');
      const saved = (by: keyof Cost) =>
        `${((1 - middle(all.costs[work], by) / middle(costs[work], by)) * 100).toFixed(1)} %`;
      say(`  ${name.padEnd(32)} CPU ${cpu} µs, saved ${saved('cpuUs')}; elapsed ${wall} µs, saved ${saved('wallUs')}`);
    }
  }
}

const valuesOf = (costs: readonly Cost[], by: keyof Cost): number[] => costs.map((cost) => cost[by]);
const middle = (costs: readonly Cost[], by: keyof Cost): number => quantile(valuesOf(costs, by), 0.5);

function shown(costs: readonly Cost[], by: keyof Cost): string {
  const [lowest, highest] = [0, 1].map((share) => quantile(valuesOf(costs, by), share).toFixed(1));
  return `${middle(costs, by).toFixed(1)} (${lowest} to ${highest})`;
}
