import { setTimeout as sleep } from 'node:timers/promises';
import { type Program, startProgram } from '../../embedded/launcher/testing/program.js';

type Env = Record<string, string>;

interface ServiceOptions {
  command: readonly string[];
  env?: Env;
  /** Rejects while the process is not ready. Absent: it counts as ready at once. */
  probe?: () => Promise<unknown>;
}

/** A probe may be a process of its own, which costs more than it waits for. */
const PROBE_INTERVAL_MS = 400;

/** A process that a test ends and starts again. */
export class Service {
  private running: Program | undefined;

  constructor(private readonly options: ServiceOptions) {}

  async start(): Promise<this> {
    const { command, env, probe = async () => undefined } = this.options;
    const running = startProgram(command, env);
    this.running = running;
    const isReady = () =>
      probe().then(
        () => true,
        () => false,
      );
    while (!(await isReady())) {
      if (running.child.exitCode !== null) throw new Error(`${command.join(' ')} ended:\n${running.output()}`);
      await sleep(PROBE_INTERVAL_MS);
    }
    return this;
  }

  /** Sends the signal and waits for the end; returns the seconds it took, and the exit code. */
  async end(signal: NodeJS.Signals): Promise<{ seconds: number; code: number | null }> {
    const startedAtMonotonicMs = performance.now();
    this.signal(signal);
    const code = (await this.running?.ended) ?? null;
    return { seconds: (performance.now() - startedAtMonotonicMs) / 1_000, code };
  }

  signal(signal: NodeJS.Signals): void {
    this.running?.child.kill(signal);
  }
}

/** Runs a program and returns its output. Throws with the output when the exit code is not 0. */
export async function runToEnd(command: readonly string[], env: Env): Promise<string> {
  const { ended, output } = startProgram(command, env);
  const code = await ended;
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output()}`);
  return output();
}
