import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { builtFile } from './built-files.js';
import { PartLog } from './part-log.js';

export type PartName = 'event store' | 'payment gateway' | 'mail box' | 'projections' | 'api';

export interface PartOptions {
  name: PartName;
  /** Path of its built main file. */
  script: string;
  env: Record<string, string>;
  logFile: string;
  /** Its port, when answering `GET /api/health` there tells that it is ready; else it prints `{"ready":true}`. */
  healthUrl?: string;
  /** How long it may take to end in good order before it is killed; 10 s when absent. */
  stopTimeoutMs?: number;
  /** Told of what a person at the console should know, a line at a time. */
  say(line: string): void;
}

/** A process of the application that is started again when it ends unasked. */
export interface Part {
  name: PartName;
  stop(): Promise<void>;
  restart(): Promise<void>;
  /** Kills it as a crash would, for tests. It comes back by itself; resolves when it is ready again. */
  kill9(): Promise<void>;
}

const READY_TIMEOUT_MS = 120_000; // A rebuild of tables at a first start after an upgrade comes before readiness.
const STOP_TIMEOUT_MS = 10_000;
const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 10_000;
const STEADY_AFTER_MS = 30_000;
const HEALTH_INTERVAL_MS = 40;
const PINO_ERROR_LEVEL = 50;

/**
 * A full garbage collection once the heap and the buffers beside it have grown to four times what was left by the last:
 * at V8's own pace a busy log makes it collect twice a second, and holds up appends by 10 to 40 ms each time.
 */
const FEWER_FULL_COLLECTIONS = '--heap-growing-percent=300';
/** The api's new objects live until their batch is in the log. With room for a few batches they are never copied: 15% less CPU. */
const ROOM_FOR_A_BATCH = '--max-semi-space-size=64';
const NODE_FLAGS: Partial<Record<PartName, string[]>> = {
  'event store': [FEWER_FULL_COLLECTIONS],
  api: [ROOM_FOR_A_BATCH, FEWER_FULL_COLLECTIONS],
};

const preload = (): string => builtFile('embedded/launcher/exit-with-parent.js');

/**
 * Starts a part and waits until it is ready.
 *
 * @throws Error with the end of what it printed, when it ends before that. Later ends are answered by a new start.
 */
export async function startPart(options: PartOptions): Promise<Part> {
  let current = await startOnce(options);
  let wanted = true;
  let settled: Promise<void> = Promise.resolve();
  let waiting = new AbortController();

  async function keepAlive(): Promise<void> {
    let backoffMs = FIRST_BACKOFF_MS;
    while (wanted) {
      const startedAt = performance.now();
      const how = await current.ended;
      if (!wanted) return;
      if (performance.now() - startedAt > STEADY_AFTER_MS) backoffMs = FIRST_BACKOFF_MS;
      options.say(`The ${options.name} ended (${how}); starting it again. Its log: ${options.logFile}`);
      for (;;) {
        await delay(backoffMs, undefined, { signal: waiting.signal }).catch(() => undefined);
        if (!wanted) return;
        backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS);
        const again = await startOnce(options).catch((error: Error) => error);
        if (!(again instanceof Error)) {
          current = again;
          options.say(`The ${options.name} is back.`);
          break;
        }
        options.say(`${again.message}\nTrying again in ${(backoffMs / 1000).toFixed(1)} s.`);
      }
    }
  }

  const supervise = (): void => {
    wanted = true;
    waiting = new AbortController();
    settled = keepAlive();
  };
  const stop = async (): Promise<void> => {
    wanted = false;
    waiting.abort();
    await current.stop();
    await settled;
    // It may have been started anew while it was being stopped.
    await current.stop();
  };

  supervise();
  return {
    name: options.name,
    stop,
    async restart() {
      await stop();
      current = await startOnce(options);
      supervise();
    },
    async kill9() {
      const before = current;
      before.child.kill('SIGKILL');
      while (current === before) await delay(HEALTH_INTERVAL_MS);
    },
  };
}

interface RunningPart {
  child: ChildProcess;
  /** Resolves to how it ended, in words. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

async function startOnce(options: PartOptions): Promise<RunningPart> {
  const child = spawn(
    process.execPath,
    [
      ...(NODE_FLAGS[options.name] ?? []),
      '--enable-source-maps',
      '--import',
      pathToFileURL(preload()).href,
      options.script,
    ],
    {
      env: { ...process.env, ...options.env },
      // Detached: Ctrl-C in the terminal is the launcher's to pass on, in order. Stdin: see exit-with-parent.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(([code, signal]) => (signal === null ? `exit code ${code}` : `${signal}`));
  const output = follow(child, options);
  const part = { child, ended, stop: () => stopChild(child, ended, options.stopTimeoutMs ?? STOP_TIMEOUT_MS) };
  try {
    await Promise.race([
      options.healthUrl === undefined ? output.ready : answersHealthily(options.healthUrl, child),
      ended.then((how) => {
        throw new Error(`The ${options.name} did not start (${how}).\n${output.tail().trimEnd()}`);
      }),
      delay(READY_TIMEOUT_MS, undefined, { ref: false }).then(() => {
        throw new Error(`The ${options.name} was not ready after ${READY_TIMEOUT_MS / 1000} s; see ${options.logFile}`);
      }),
    ]);
  } catch (error) {
    await part.stop();
    throw error;
  }
  return part;
}

/** Writes what the child prints to its log, passes errors on to the console, and looks for the word that it is ready. */
function follow(child: ChildProcess, options: PartOptions): { ready: Promise<void>; tail(): string } {
  const log = new PartLog(options.logFile, ({ message }) => {
    options.say(`The log of the ${options.name} cannot be written: ${message}`);
  });
  const recent: string[] = [];
  const keep = (line: string): void => {
    log.write(line);
    recent.push(line);
    if (recent.length > 30) recent.shift();
  };
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      keep(line);
      const message = parseJsonLine(line);
      if (message?.ready === true) resolve();
      if (typeof message?.level === 'number' && message.level >= PINO_ERROR_LEVEL) {
        options.say(`[${options.name}] ${String(message.msg ?? line)}`);
      }
    });
  });
  createInterface({ input: child.stderr! }).on('line', (line) => {
    keep(line);
    options.say(`[${options.name}] ${line}`);
  });
  child.once('close', () => log.end());
  return { ready, tail: () => recent.join('\n') };
}

function parseJsonLine(line: string): { ready?: unknown; level?: unknown; msg?: unknown } | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as { ready?: unknown; level?: unknown; msg?: unknown };
  } catch {
    return undefined; // A line that only looks like JSON is a line of text.
  }
}

async function answersHealthily(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.status === 200) return;
    await delay(HEALTH_INTERVAL_MS);
  }
  await new Promise(() => undefined); // Its end is reported by the one who waits for that.
}

async function stopChild(child: ChildProcess, ended: Promise<string>, timeoutMs: number): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const stoppedInTime = await Promise.race([ended.then(() => true), delay(timeoutMs, false, { ref: false })]);
  if (!stoppedInTime) child.kill('SIGKILL');
  await ended;
}
