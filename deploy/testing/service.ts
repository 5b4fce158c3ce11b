import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from './deployment-files.js';

export interface ServiceOptions {
  command: readonly string[];
  env?: Record<string, string>;
  /** Absent: the process counts as ready at once. */
  isReady?: () => Promise<boolean>;
}

/** A check may be a process of its own, which costs more than it waits for. */
const READY_INTERVAL_MS = 400;

export class Service {
  private child: ChildProcess | undefined;
  private output = '';

  constructor(private readonly options: ServiceOptions) {}

  async start(): Promise<this> {
    const { command, env, isReady = async () => true } = this.options;
    const [program = '', ...args] = command;
    const { PATH = '' } = process.env;
    const settings = { PATH, ENDS_WITH_INPUT: '1', ...env };
    const child = spawn(program, args, { cwd: projectRoot, env: settings, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        this.output = (this.output + text).slice(-4_000);
      });
    }
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended:\n${this.output}`);
      await sleep(READY_INTERVAL_MS);
    }
    return this;
  }

  /** Sends the signal and waits for the end; returns the seconds it took, and the exit code. */
  async end(signal: NodeJS.Signals): Promise<{ seconds: number; code: number | null }> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return { seconds: 0, code: null };
    const startedAt = performance.now();
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code] = await ended;
    return { seconds: (performance.now() - startedAt) / 1_000, code };
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  async restart(signal: NodeJS.Signals): Promise<void> {
    await this.end(signal);
    await this.start();
  }
}

export async function runToEnd(command: readonly string[], env: Record<string, string>): Promise<string> {
  const [program = '', ...args] = command;
  const { PATH = '' } = process.env;
  const child = spawn(program, args, { cwd: projectRoot, env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
