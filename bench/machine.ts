import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { quantile } from './closed-loop.js';

/** Facts of the machine that the figures depend on. */
export function machineFacts(folder: string): string[] {
  const forced = forcedWritesMs(folder);
  const loads = loadavg().map((load) => load.toFixed(1));
  return [
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`,
    `load before: ${loads.join(', ')}`,
    `forcing 8 KiB to disk: p50 ${quantile(forced, 0.5).toFixed(2)} ms, p99 ${quantile(forced, 0.99).toFixed(2)} ms`,
  ];
}

/** Current median time of a forced write, ms. It varies with the machine's other load, and bounds the SQL way. */
export const diskPaceMs = (folder: string): number => quantile(forcedWritesMs(folder, 40), 0.5);

/** Times of a write followed by fdatasync, as in a commit. */
function forcedWritesMs(folder: string, times = 200): number[] {
  const path = join(folder, 'forced-writes');
  const page = Buffer.alloc(8192, 1);
  const tookMs: number[] = [];
  const file = openSync(path, 'w');
  try {
    for (let index = 0; index < times; index += 1) {
      const from = performance.now();
      writeSync(file, page, 0, page.length, index * page.length);
      fdatasyncSync(file);
      tookMs.push(performance.now() - from);
    }
  } finally {
    closeSync(file);
    rmSync(path);
  }
  return tookMs;
}
