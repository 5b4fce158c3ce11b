import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../built-files.js';

const TIMEOUT_MS = 240_000;

export type Program = ReturnType<typeof programOf>;

/** A process and its output so far. */
export function programOf(child: ChildProcess) {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return {
    child,
    output: () => text,
    ended: once(child, 'close').then(([code]) => code as number | null),
    /** Waits for output that matches; returns the match. Throws when the process ends first, or after four minutes. */
    async untilPrinted(pattern: RegExp): Promise<RegExpMatchArray> {
      const deadlineMonotonicMs = performance.now() + TIMEOUT_MS;
      for (;;) {
        const match = text.match(pattern);
        if (match !== null) return match;
        const isOver = child.exitCode !== null || performance.now() > deadlineMonotonicMs;
        if (isOver) throw new Error(`it did not print ${pattern}; it printed:\n${text}`);
        await sleep(20);
      }
    },
  };
}

/** Starts a program in the project's folder, with these settings and no others of Jest's environment, such as NODE_ENV. */
export function startProgram([program = '', ...args]: readonly string[], env: Record<string, string> = {}): Program {
  const { PATH = '', HOME = '' } = process.env;
  const settings = { PATH, HOME, ENDS_WITH_INPUT: '1', ...env };
  return programOf(spawn(program, args, { cwd: projectRoot(), env: settings, stdio: 'pipe' }));
}
