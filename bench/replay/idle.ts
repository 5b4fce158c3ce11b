import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launch } from '../../embedded/launcher/launch.js';
import { say } from '../report.js';
import { cpuTimes } from './processes.js';

/**
 * After its start, until its code is compiled, its caches are full, and V8 has compacted the heap: it does so once, 25 or 95 s after
 * the start, with 0.25 s of CPU, as much as everything else in half a minute.
 */
const SETTLING_MS = 120_000;

export async function measureIdle(folder: string, durationMs: number): Promise<void> {
  const application = await launch({
    dataDir: join(folder, 'idle'),
    port: 0,
    notify: console.error,
  });
  try {
    await sleep(SETTLING_MS);
    const before = cpuTimes();
    const fromMs = performance.now();
    await sleep(durationMs);
    const after = cpuTimes();
    const elapsedMs = performance.now() - fromMs;
    say(`\n  the whole application without gamers for ${durationMs / 1_000} s, CPU time of one core`);
    for (const name of ['api', 'projections', 'event store'] as const) {
      say(`  ${name.padEnd(26)}${(((after[name] - before[name]) / elapsedMs) * 100).toFixed(2)} %`);
    }
  } finally {
    await application.stop();
  }
}
