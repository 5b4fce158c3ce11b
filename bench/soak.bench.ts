import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../contracts/durations.js';
import { type BenchApi, BUY_PATH, runLoad, startBenchApi } from './http/bench-api.js';
import { forkProcess } from './http/forked.js';
import type { Memory } from './http/server.js';
import { heading, ms, say } from './report.js';
import { watchersOf } from './sockets.bench.js';
import type { Stores } from './stores.js';

const SOCKETS = 1_000;
const PER_SECOND = 50;
const CONNECTIONS = 10;

/** Buys for a long time with many sockets open, and prints the api's memory every minute, after a full garbage collection. */
export async function benchSoak(stores: Stores, minutes: number): Promise<void> {
  heading(`${PER_SECOND} purchases a second with ${SOCKETS} sockets, for ${minutes} minutes`);
  const api = await startBenchApi(stores, 'soak', { LOG_LEVEL: 'silent' });
  const [watchers] = await forkProcess('bench/http/watchers.js', { ...watchersOf(api.port), sockets: SOCKETS });
  const { port, buyersFile } = api;
  const load = { port, path: BUY_PATH, buyersFile, connections: CONNECTIONS, perSecond: PER_SECOND };
  try {
    const buying = runLoad({ ...load, warmUpMs: 0, durationMs: minutes * MINUTE_MS });
    await watchMemory(api, minutes, () => watchers.ask('begin'));
    const { perSecond, p50Ms, p99Ms, refused } = await buying;
    say(`  ${perSecond.toFixed(0)} purchases a second, p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}, refused ${refused}`);
  } finally {
    await watchers.stop();
    await api.stop();
  }
}

/** Prints each minute's memory, and its range after the first third, in which the server still compiles and fills its caches. */
async function watchMemory({ ask }: BenchApi, minutes: number, forgetArrivals: () => Promise<unknown>): Promise<void> {
  const memory: Memory[] = [];
  const startMs = performance.now();
  for (let minute = 1; minute <= minutes; minute += 1) {
    await sleep(startMs + minute * MINUTE_MS - performance.now());
    await forgetArrivals();
    const now = await ask<Memory>('memory');
    memory.push(now);
    say(`  minute ${minute}: rss ${mib(now.rss)}  heap ${mib(now.heapUsed)}  buffers ${mib(now.external)}`);
  }
  const later = memory.slice(memory.length / 3);
  const rangeOf = (values: number[]) => `${mib(Math.min(...values))} to ${mib(Math.max(...values))}`;
  const [heap, resident] = [later.map(({ heapUsed }) => heapUsed), later.map(({ rss }) => rss)];
  say(`  after minute ${memory.length - later.length}: heap ${rangeOf(heap)}, resident ${rangeOf(resident)}`);
}

const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
