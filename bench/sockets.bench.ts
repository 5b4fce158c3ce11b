import { setTimeout as sleep } from 'node:timers/promises';
import { SOCKET_PATH } from '../contracts/live.js';
import { quantile } from './closed-loop.js';
import type { Effort } from './commands.bench.js';
import { type BenchApi, BUY_PATH, runLoad, startBenchApi } from './http/bench-api.js';
import { type ForkedProcess, forkProcess } from './http/forked.js';
import type { LoadMeasurement } from './http/load.js';
import type { RawOptions, SentTimesMs } from './http/raw-sockets.js';
import type { CommittedAt, Memory } from './http/server.js';
import type { WatchOptions, WatchReport } from './http/watchers.js';
import { heading, ms, say, sayRatios, whole } from './report.js';
import type { Stores } from './stores.js';

const CONNECTIONS = 10;
/** Twice the usual length of a round, because a p99 needs hundreds of purchases. */
const LONGER = 2;
const CROWD = { sockets: 10_000, perSecond: 20, roundMs: 15_000 };

interface Arrivals {
  p50Ms: number;
  p99Ms: number;
  /** Share of the purchases without a message of their own. */
  unnamed: number;
  bytesPerMessage: number;
}

/** The time from a purchase's commit to its message, next to a bare `ws` server with the same bytes and rate. */
export async function benchSockets(stores: Stores, { rounds, roundMs, warmUpMs }: Effort): Promise<void> {
  heading('Live messages: the sockets and the buyers each in their own process');
  const api = await startBenchApi(stores, 'sockets', { LOG_LEVEL: 'silent' });
  const durationMs = LONGER * roundMs;
  const buy = (perSecond: number) => buyAt(api, perSecond, { warmUpMs, durationMs });
  try {
    // Wait until the server has compiled its code.
    await watchApi(api, 500, () => buy(50));
    const ratios: number[] = [];
    const postRatios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const alone = await buy(50);
      const [watched, arrivals] = await watchApi(api, 1_000, () => buy(50));
      const raw = await rawArrivals(1_000, { perSecond: 50, durationMs, bytes: arrivals.bytesPerMessage });
      say(`\n  round ${round + 1}: 1,000 sockets, 50 purchases a second`);
      sayArrivals('api: commit to message', arrivals);
      sayArrivals('raw ws: send to message', raw);
      sayPosts(alone, watched);
      ratios.push(arrivals.p50Ms / raw.p50Ms);
      postRatios.push(watched.p50Ms / alone.p50Ms);
    }
    sayRatios('arrival p50, times raw; aim 4', ratios);
    sayRatios('POST p50, times that without sockets; aim 1.5', postRatios);
    for (let round = 0; round < rounds; round += 1) {
      const alone = await buy(200);
      const [watched, arrivals] = await watchApi(api, 2_000, () => buy(200));
      say(`\n  round ${round + 1}: 2,000 sockets, 200 purchases a second`);
      sayArrivals('api: commit to message; aim p99 400 ms', arrivals);
      sayPosts(alone, watched);
    }
  } finally {
    await api.stop();
  }
}

/** Ten thousand sockets on one node. In the second half of a round a tenth of them drops and returns at once. */
export async function benchCrowd(stores: Stores, rounds: number): Promise<void> {
  const { sockets, perSecond, roundMs } = CROWD;
  heading(`${whole(sockets)} sockets, ${perSecond} purchases a second`);
  const api = await startBenchApi(stores, 'crowd', { LOG_LEVEL: 'silent' });
  const buy = (durationMs: number) => buyAt(api, perSecond, { warmUpMs: 0, durationMs });
  try {
    // Wait until the server has compiled its code, and its heap has grown for the handshakes.
    await watchApi(api, sockets / 5, () => buy(roundMs / 5));
    for (let round = 1; round <= rounds; round += 1) {
      const before = await api.ask<Memory>('memory');
      let [after, returnedMs] = [before, 0];
      const [bought, arrivals] = await watchApi(api, sockets, async (watchers) => {
        after = await api.ask<Memory>('memory');
        const buying = buy(roundMs);
        await sleep(roundMs / 2);
        returnedMs = await watchers.ask<number>('return');
        return buying;
      });
      say(`\n  round ${round}`);
      sayArrivals('commit to message; aim p99 1 s', arrivals);
      say(`  ${'a tenth drops until all have the state; 15 s'.padEnd(44)}${ms(returnedMs)}`);
      say(`  ${'POST; aim: longest 300 ms'.padEnd(44)}p50 ${ms(bought.p50Ms)}  longest ${ms(bought.longestMs)}`);
      const each = (name: keyof Memory) => ((after[name] - before[name]) / sockets / 1024).toFixed(1);
      const memory = `resident ${each('rss')}  heap ${each('heapUsed')}  buffers ${each('external')}`;
      say(`  ${'KiB for each socket; aim 20'.padEnd(44)}${memory}`);
      await sleep(2_000);
    }
  } finally {
    await api.stop();
  }
}

function buyAt({ port, buyersFile }: BenchApi, perSecond: number, times: { warmUpMs: number; durationMs: number }) {
  return runLoad({ port, path: BUY_PATH, buyersFile, connections: CONNECTIONS, perSecond, ...times });
}

async function watchApi(
  { port, ask }: BenchApi,
  sockets: number,
  run: (watchers: ForkedProcess) => Promise<LoadMeasurement>,
): Promise<[LoadMeasurement, Arrivals]> {
  await ask('commits');
  const [measured, watched] = await watch({ ...watchersOf(port), sockets }, run);
  if (measured.refused > 0) throw new Error(`${measured.refused} responses were not 200`);
  return [measured, arrivalsOf(watched, await ask<CommittedAt>('commits'), sockets)];
}

export const watchersOf = (port: number): Omit<WatchOptions, 'sockets'> => ({
  port,
  path: `${SOCKET_PATH}/?EIO=4&transport=websocket`,
  isSocketIo: true,
});

async function rawArrivals(sockets: number, options: RawOptions): Promise<Arrivals> {
  const [raw, port] = await forkProcess<number>('bench/http/raw-sockets.js', null);
  try {
    const watching: WatchOptions = { port, path: '/', sockets, isSocketIo: false };
    const [sentAt, watched] = await watch(watching, () => raw.ask<SentTimesMs>(options));
    return arrivalsOf(watched, sentAt, sockets);
  } finally {
    await raw.stop();
  }
}

async function watch<Result>(
  options: WatchOptions,
  run: (watchers: ForkedProcess) => Promise<Result>,
): Promise<[Result, WatchReport]> {
  const [watchers] = await forkProcess('bench/http/watchers.js', options);
  try {
    await watchers.ask('begin');
    const result = await run(watchers);
    await sleep(1_000);
    return [result, await watchers.ask<WatchReport>('end')];
  } finally {
    await watchers.stop();
  }
}

/** A purchase without a message of its own arrives with the next one. The first quarter is a warm-up. */
function arrivalsOf({ bytes, arrivals, sampled }: WatchReport, sentAt: SentTimesMs, sockets: number): Arrivals {
  const sent = Object.entries(sentAt);
  const tookMs: number[] = [];
  let unnamed = 0;
  for (let slot = 0; slot < sampled; slot += 1) {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const [id, atMs] of sent.slice(sent.length / 4).reverse()) {
      const arrivedAtMs = arrivals[id]?.[slot] ?? null;
      if (arrivedAtMs === null) unnamed += 1;
      nextMs = Math.min(nextMs, arrivedAtMs ?? nextMs);
      tookMs.push(nextMs - atMs);
    }
  }
  return {
    p50Ms: quantile(tookMs, 0.5),
    p99Ms: quantile(tookMs, 0.99),
    unnamed: unnamed / tookMs.length,
    bytesPerMessage: Math.round(bytes / sockets / sent.length),
  };
}

function sayArrivals(name: string, { p50Ms, p99Ms, unnamed, bytesPerMessage }: Arrivals): void {
  const figures = `p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)}  ${whole(bytesPerMessage)} bytes for each`;
  say(`  ${name.padEnd(44)}${figures}; ${(unnamed * 100).toFixed(0)} % reported by the state alone`);
}

function sayPosts(alone: LoadMeasurement, watched: LoadMeasurement): void {
  const figures = ({ p50Ms, p99Ms }: LoadMeasurement) => `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}`;
  say(`  ${'POST with the sockets, and without'.padEnd(44)}${figures(watched)}; ${figures(alone)}`);
}
