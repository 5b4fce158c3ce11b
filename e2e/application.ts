import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtFile } from '../embedded/launcher/built-files.js';

/** The application as `npm start` runs it: one process, which starts the others. */
export interface StartedApplication {
  url: string;
  /** Printed at the first start only. */
  adminPassword: string | null;
  databaseUrl: string;
  eventStoreUrl: string;
  /** Page and API of the practice payment gateway. */
  paymentsUrl: string;
  /** Page of the practice mail box. */
  mailUrl: string;
  /** kill -9; the processes it started end with it. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export const START_TIMEOUT_MS = 90_000;

export async function startApplication(dataDir: string, port: number): Promise<StartedApplication> {
  const child = spawn(process.execPath, [builtFile('embedded/launcher/main.js')], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), RATE_LIMITS: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const greeting = await greetingOf(child);
  return {
    ...JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8')),
    adminPassword: /Admin\s+\S+, password (\S+)\n/.exec(greeting)?.[1] ?? null,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  };
}

function greetingOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => reject(new Error(`the application did not start:\n${printed}`)), START_TIMEOUT_MS);
    const read = (text: Buffer) => {
      printed += text;
      if (!printed.includes('Ctrl-C stops it')) return;
      clearTimeout(timer);
      resolve(printed);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`the application ended with code ${code}:\n${printed}`)));
  });
}

/** Sends the signal and waits until the process has ended. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}
