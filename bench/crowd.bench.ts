import { setTimeout as sleep } from 'node:timers/promises';
import { BUY_PATH, runLoad, startBenchApi } from './http/bench-api.js';
import { forkProcess } from './http/forked.js';
import type { CommittedAt, Memory } from './http/observed.controller.js';
import type { Watched } from './http/watchers.js';
import { heading, ms, say, whole } from './report.js';
import { arrivalsOf, sayArrivals, watchersOf } from './sockets.bench.js';
import type { Stores } from './stores.js';

const SOCKETS = 10_000;
const PER_SECOND = 20;
const ROUND_MS = 15_000;

/** Ten thousand sockets on one node. In the second half of a round a tenth of them drops and returns at once. */
export async function benchCrowd(stores: Stores, rounds: number): Promise<void> {
  heading(`${whole(SOCKETS)} sockets, ${PER_SECOND} purchases a second`);
  const api = await startBenchApi(stores, 'crowd', { LOG_LEVEL: 'silent' });
  const { port, buyersFile, ask } = api;
  const load = { port, path: BUY_PATH, buyersFile, connections: 10, perSecond: PER_SECOND };
  const start = (sockets: number) => forkProcess('bench/http/watchers.js', { ...watchersOf(port), sockets });
  try {
    // Wait until the server has compiled its code, and its heap has grown for the handshakes.
    const [first] = await start(SOCKETS / 5);
    await runLoad({ ...load, warmUpMs: 0, durationMs: ROUND_MS / 5 });
    await first.stop();
    await sleep(1_000);
    for (let round = 1; round <= rounds; round += 1) {
      const before = await ask<Memory>('memory');
      const [watchers] = await start(SOCKETS);
      const after = await ask<Memory>('memory');
      await ask('commits');
      await watchers.ask('begin');
      const buying = runLoad({ ...load, warmUpMs: 0, durationMs: ROUND_MS });
      await sleep(ROUND_MS / 2);
      const returnedMs = await watchers.ask<number>('return');
      const bought = await buying;
      await sleep(1_000);
      const watched = await watchers.ask<Watched>('end');
      await watchers.stop();
      say(`\n  round ${round}`);
      sayArrivals('commit to message; aim p99 1 s', arrivalsOf(watched, await ask<CommittedAt>('commits'), SOCKETS));
      say(`  ${'a tenth drops until all have the state; 15 s'.padEnd(44)}${ms(returnedMs)}`);
      say(`  ${'POST; aim: longest 300 ms'.padEnd(44)}p50 ${ms(bought.p50Ms)}  longest ${ms(bought.longestMs)}`);
      const each = (name: keyof Memory) => ((after[name] - before[name]) / SOCKETS / 1024).toFixed(1);
      say(
        `  ${'KiB for each socket; aim 20'.padEnd(44)}resident ${each('rss')}  heap ${each('heapUsed')}  buffers ${each('external')}`,
      );
      await sleep(2_000);
    }
  } finally {
    await api.stop();
  }
}
