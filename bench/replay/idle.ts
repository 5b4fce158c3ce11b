import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launch } from '../../embedded/launcher/launch.js';
import { say } from '../report.js';

/**
 * After its start, until its code is compiled, its caches are full, and V8 has compacted the heap: it does so once, 25 or 95 s after
 * the start, with 0.25 s of CPU, as much as everything else in half a minute.
 */
const SETTLING_MS = 120_000;

const SCRIPTS = ['api/src/main.js', 'projections/src/main.js', 'embedded/event-store/main.js'];
/** Milliseconds of one unit of /proc's times on Linux. */
const TICK_MS = 10;

export async function measureIdle(folder: string, durationMs: number): Promise<void> {
  const application = await launch({
    dataDir: join(folder, 'idle'),
    port: 0,
    notify: console.error,
  });
  try {
    await sleep(SETTLING_MS);
    const before = cpuTimesMs();
    const fromMs = performance.now();
    await sleep(durationMs);
    const after = cpuTimesMs();
    const elapsedMs = performance.now() - fromMs;
    say(`\n  the whole application without gamers for ${durationMs / 1_000} s, CPU time of one core`);
    for (const [index, script] of SCRIPTS.entries()) {
      const spentMs = after[index]! - before[index]!;
      say(`  ${script.padEnd(36)}${((spentMs / elapsedMs) * 100).toFixed(2)} %`);
    }
  } finally {
    await application.stop();
  }
}

/** CPU time so far of the child process of each script. Linux only. */
function cpuTimesMs(): number[] {
  const textOf = (pid: string, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  const children = textOf('self', `task/${process.pid}/children`).trim().split(' ');
  return SCRIPTS.map((script) => {
    const pid = children.find((child) => textOf(child, 'cmdline').endsWith(`${script}\0`));
    if (pid === undefined) throw new Error(`no process runs ${script}`);
    // The fields after the name, from the third one on, of which these are user and system time: proc(5).
    const [user, system] = textOf(pid, 'stat').split(') ').at(-1)!.split(' ').slice(11, 13).map(Number);
    return (user! + system!) * TICK_MS;
  });
}
