import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, renameSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { builtFile } from './built-files.js';

/** A running process or server. */
export interface Child {
  /** Resolves to the way it ended, such as `exit code 1`. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

export type ProcessName = 'event store' | 'payment gateway' | 'mail box' | 'projections' | 'api' | 'witness';

export interface ProcessOptions {
  name: ProcessName;
  script: string;
  env: Record<string, string>;
  logFile: string;
  /** The process is ready when this address responds with 200; without it, when it prints `{"ready":true}`. */
  healthUrl?: string;
  stopTimeoutMs?: number;
  notify(line: string): void;
}

const STOP_TIMEOUT_MS = 10_000;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const HEALTH_INTERVAL_MS = 40;
const PINO_ERROR_LEVEL = 50;
const PINO_FATAL_LEVEL = 60;

/** A full collection only after fourfold growth: by default two a second, each delaying appends by 10 to 40 ms. */
const FEWER_FULL_COLLECTIONS = '--heap-growing-percent=300';
/** V8 copies less with space for a few batches: 15 % less CPU for the api, and the worker catches up 7 % faster. */
const LARGE_YOUNG_GENERATION = '--max-semi-space-size=64';
const NODE_FLAGS: Partial<Record<ProcessName, string[]>> = {
  'event store': [FEWER_FULL_COLLECTIONS],
  projections: [LARGE_YOUNG_GENERATION, FEWER_FULL_COLLECTIONS],
  api: [LARGE_YOUNG_GENERATION, FEWER_FULL_COLLECTIONS],
};

/** Starts a process and waits until it is ready. Throws with the way it ended when it ends before that. */
export async function startProcess(options: ProcessOptions): Promise<Child> {
  const { name, healthUrl, logFile, stopTimeoutMs = STOP_TIMEOUT_MS } = options;
  const exitWithParent = pathToFileURL(builtFile('embedded/launcher/exit-with-parent.js')).href;
  const child = spawn(
    process.execPath,
    [...(NODE_FLAGS[name] ?? []), '--enable-source-maps', '--import', exitWithParent, options.script],
    {
      env: { ...process.env, ...options.env },
      // Detached, so that the launcher alone receives Ctrl-C and stops its processes in order.
      detached: true,
      // stdin is a pipe for exit-with-parent.
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  child.stdin.on('error', () => undefined);
  const output = readOutput(child, options);
  const ended = once(child, 'close').then(([code, signal]) => output.fatal() ?? signal ?? `exit code ${code}`);
  const stop = () => stopChild(child, ended, stopTimeoutMs);
  try {
    await Promise.race([
      healthUrl === undefined ? output.ready : untilHealthy(healthUrl, child),
      ended.then((reason) => {
        throw new Error(`The ${name} did not start: ${reason}; see ${logFile}`);
      }),
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ended, stop };
}

/** Writes the child's output to its log, reports errors to the console, and recognises the line that says it is ready. */
function readOutput(child: ChildProcess, { name, logFile, notify }: ProcessOptions) {
  // On a full disk the stream fails once and then drops all writes.
  if (existsSync(logFile) && statSync(logFile).size > LOG_LIMIT_BYTES) renameSync(logFile, `${logFile}.1`);
  const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 }).on('error', ({ message }) => {
    notify(`The log of the ${name} cannot be written: ${message}`);
  });
  /** The reason that a process logs before it ends itself. */
  let fatal: string | undefined;
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      log.write(`${line}\n`);
      const message = parseJsonLine(line);
      if (message.ready === true) resolve();
      if (Number(message.level) >= PINO_FATAL_LEVEL) fatal = String(message.msg);
      else if (Number(message.level) >= PINO_ERROR_LEVEL) notify(`[${name}] ${String(message.msg ?? line)}`);
    });
  });
  createInterface({ input: child.stderr! }).on('line', (line) => {
    log.write(`${line}\n`);
    notify(`[${name}] ${line}`);
  });
  child.once('close', () => log.end());
  return { ready, fatal: () => fatal };
}

/** The fields of a JSON log line; none of any other line. */
function parseJsonLine(line: string): { ready?: unknown; level?: unknown; msg?: unknown } {
  if (!line.startsWith('{')) return {};
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

/** Never resolves when the child ends before: the caller handles that. */
async function untilHealthy(url: string, child: ChildProcess): Promise<void> {
  while (isRunning(child)) {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.status === 200) return;
    await sleep(HEALTH_INTERVAL_MS);
  }
  await new Promise(() => undefined);
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

async function stopChild(child: ChildProcess, ended: Promise<string>, timeoutMs: number): Promise<void> {
  if (isRunning(child)) child.kill('SIGTERM');
  const stoppedInTime = await Promise.race([ended.then(() => true), sleep(timeoutMs, false, { ref: false })]);
  if (!stoppedInTime) child.kill('SIGKILL');
  await ended;
}
