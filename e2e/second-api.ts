import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtFile } from '../embedded/launcher/built-files.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import type { StartedApplication } from './started-application.js';

/** Another api process on the stores of a running application, as behind a load balancer: same secret, own port. */
export async function startSecondApi(application: StartedApplication, dataDir: string) {
  const port = await anyFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [builtFile('api/src/main.js')], {
    env: {
      ...process.env,
      DATABASE_URL: application.databaseUrl,
      EVENT_STORE_URL: application.eventStoreUrl,
      SESSION_SECRET: (await readFile(join(dataDir, 'session-secret'), 'utf8')).trim(),
      PORT: String(port),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for (let tries = 0; tries < 240; tries += 1) {
    if (await isHealthy(url)) {
      return {
        url,
        stop: async () => {
          child.kill('SIGTERM');
          await ended;
        },
      };
    }
    if (child.exitCode !== null) break;
    await sleep(250);
  }
  child.kill('SIGKILL');
  throw new Error('the second api did not start');
}

const isHealthy = (url: string): Promise<boolean> =>
  fetch(`${url}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  );
