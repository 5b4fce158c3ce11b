import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtFile } from '../embedded/launcher/built-files.js';

/** The application as `npm start` runs it: one process that can be killed, and what it printed. */
export interface StartedApplication {
  url: string;
  /** Printed at the first start only. */
  adminPassword: string | null;
  databaseUrl: string;
  eventStoreUrl: string;
  /** Where a person pays, and reads mails. */
  paymentsUrl: string;
  mailUrl: string;
  /** kill -9, and gone with everything it started. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 90_000;

export async function startApplication(dataDir: string, port: number): Promise<StartedApplication> {
  const child = spawn(process.execPath, [builtFile('embedded/launcher/main.js')], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), RATE_LIMITS: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const greeting = await greetingOf(child);
  const addresses = JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8'));
  return {
    url: addresses.url,
    adminPassword: /Admin\s+\S+, password (\S+)\n/.exec(greeting)?.[1] ?? null,
    databaseUrl: addresses.databaseUrl,
    eventStoreUrl: addresses.eventStoreUrl,
    paymentsUrl: addresses.paymentsUrl,
    mailUrl: addresses.mailUrl,
    kill: () => endWith(child, 'SIGKILL'),
    stop: () => endWith(child, 'SIGTERM'),
  };
}

function greetingOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const late = setTimeout(() => reject(new Error(`it did not start:\n${printed}`)), START_TIMEOUT_MS);
    const read = (text: Buffer) => {
      printed += text;
      if (!printed.includes('Ctrl-C stops it')) return;
      clearTimeout(late);
      resolve(printed);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`it ended with ${code}:\n${printed}`)));
  });
}

async function endWith(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}
