import { setTimeout as sleep } from 'node:timers/promises';
import { SOCKET_PATH } from '../contracts/live.js';
import { quantile } from './closed-loop.js';
import type { Effort } from './commands.bench.js';
import { type BenchApi, BUY_PATH, runLoad, startBenchApi } from './http/bench-api.js';
import { forkProcess } from './http/forked.js';
import type { MeasuredLoad } from './http/load.js';
import type { CommittedAt } from './http/observed.controller.js';
import type { RawOptions, SentTimesMs } from './http/raw-sockets.js';
import type { Watched, WatchOptions } from './http/watchers.js';
import { heading, ms, say, sayRatios, whole } from './report.js';
import type { Stores } from './stores.js';

const CONNECTIONS = 10;
/** Twice the usual length of a round, because a p99 needs hundreds of purchases. */
const LONGER = 2;

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
  const { port, buyersFile } = api;
  const load = { port, path: BUY_PATH, buyersFile, connections: CONNECTIONS, warmUpMs, durationMs };
  const buy = (perSecond: number): Promise<MeasuredLoad> => runLoad({ ...load, perSecond });
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

async function watchApi(
  { port, ask }: BenchApi,
  sockets: number,
  run: () => Promise<MeasuredLoad>,
): Promise<[MeasuredLoad, Arrivals]> {
  const options: WatchOptions = { ...watchersOf(port), sockets };
  await ask('commits');
  const [measured, watched] = await watch(options, run);
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

async function watch<Result>(options: WatchOptions, run: () => Promise<Result>): Promise<[Result, Watched]> {
  const [watchers] = await forkProcess('bench/http/watchers.js', options);
  try {
    await watchers.ask('begin');
    const result = await run();
    await sleep(1_000);
    return [result, await watchers.ask<Watched>('end')];
  } finally {
    await watchers.stop();
  }
}

/** A purchase without a message of its own arrives with the next one. The first quarter is a warm-up. */
export function arrivalsOf(
  { bytes, arrivals, sampled }: Watched,
  sentAt: Record<string, number>,
  sockets: number,
): Arrivals {
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

export function sayArrivals(name: string, { p50Ms, p99Ms, unnamed, bytesPerMessage }: Arrivals): void {
  const figures = `p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)}  ${whole(bytesPerMessage)} bytes for each`;
  say(
    `  ${name.padEnd(44)}${figures}${unnamed === 0 ? '' : `; ${(unnamed * 100).toFixed(0)} % reported by the state alone`}`,
  );
}

function sayPosts(alone: MeasuredLoad, watched: MeasuredLoad): void {
  const figures = ({ p50Ms, p99Ms }: MeasuredLoad) => `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}`;
  say(`  ${'POST with the sockets, and without'.padEnd(44)}${figures(watched)}; ${figures(alone)}`);
}
