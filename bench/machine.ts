import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { quantile } from './closed-loop.js';

/** What the figures depend on besides the code. */
export function machineFacts(folder: string): string[] {
  const forced = forcedWritesMs(folder);
  return [
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`,
    `load before: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
    `forcing 8 KiB to disk: p50 ${quantile(forced, 0.5).toFixed(2)} ms, p99 ${quantile(forced, 0.99).toFixed(2)} ms`,
  ];
}

/** The disk's pace at this moment, ms: it changes with what else the machine does, and the SQL way lives by it. */
export const diskPaceMs = (folder: string): number => quantile(forcedWritesMs(folder, 40), 0.5);

/** Sorted times of a write followed by fdatasync, as a commit does. */
function forcedWritesMs(folder: string, times = 200): Float64Array {
  const path = join(folder, 'forced-writes');
  const page = Buffer.alloc(8192, 1);
  const tookMs = new Float64Array(times);
  const file = openSync(path, 'w');
  try {
    for (let index = 0; index < times; index += 1) {
      const from = performance.now();
      writeSync(file, page, 0, page.length, index * page.length);
      fdatasyncSync(file);
      tookMs[index] = performance.now() - from;
    }
  } finally {
    closeSync(file);
    rmSync(path);
  }
  return tookMs.sort();
}
