import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoginRequest } from '../../contracts/http/accounts.js';
import { anyFreePort } from '../postgres/free-port.js';
import { projectRoot } from './built-files.js';
import { type Application, launch } from './launch.js';

jest.setTimeout(180_000);

/** Environment variable that marks every process of one start. */
const MARK = 'OMNI_LAUNCHER_TEST';

function processesMarked(mark: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readProc(pid, 'environ').includes(`${MARK}=${mark}`))
    .map((pid) => `${pid}: ${readProc(pid, 'cmdline').replaceAll('\0', ' ')}`);
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // The process ended meanwhile.
  }
}

interface NpmStart {
  npm: ChildProcess;
  mark: string;
  output(): string;
  /** Waits for text on the console; fails when the process ends without it. */
  untilPrinted(text: RegExp): Promise<RegExpMatchArray>;
  exitCode: Promise<number | null>;
}

describe('npm start', () => {
  let parent: string;
  let dataDir: string;
  const starts: NpmStart[] = [];

  beforeAll(() => {
    // Jest's NODE_ENV would build the development version of React.
    const env = { ...process.env, NODE_ENV: 'production' };
    execFileSync(process.execPath, ['scripts/run.mjs', 'build'], { cwd: projectRoot(), env });
  });

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'omni launch '));
    chmodSync(parent, 0o711);
    dataDir = join(parent, 'the data');
  });

  afterEach(async () => {
    for (const start of starts.splice(0)) {
      start.npm.kill('SIGKILL');
      await gone(start);
    }
    rmSync(parent, { recursive: true, force: true });
  });

  function npmStart(env: Record<string, string> = {}): NpmStart {
    const mark = randomUUID();
    // The application must not inherit Jest's environment, such as NODE_ENV.
    const { PATH, HOME, TMPDIR } = process.env;
    const npm = spawn('npm', ['start'], {
      cwd: projectRoot(),
      env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), DATA_DIR: dataDir, RATE_LIMITS: 'off', [MARK]: mark, ...env },
      detached: true, // In a process group of its own, as in a terminal.
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
    }
    const exitCode = once(npm, 'close').then(([code]) => code as number | null);
    const start: NpmStart = {
      npm,
      mark,
      output: () => text,
      exitCode,
      async untilPrinted(pattern) {
        for (;;) {
          const match = text.match(pattern);
          if (match !== null) return match;
          if (npm.exitCode !== null) throw new Error(`it ended without printing ${pattern}; it printed:\n${text}`);
          await delay(20);
        }
      },
    };
    starts.push(start);
    return start;
  }

  async function running(start: NpmStart): Promise<{ url: string; password: string }> {
    const [, url, password] = await start.untilPrinted(/Address +(\S+)\n +Admin +admin, password (.+)\n/);
    return { url: url!, password: password! };
  }

  /** Waits until no process of the start is left. */
  async function gone(start: NpmStart): Promise<void> {
    for (let tries = 0; tries < 400; tries++) {
      if (processesMarked(start.mark).length === 0) return;
      await delay(50);
    }
    throw new Error(`still running:\n${processesMarked(start.mark).join('\n')}`);
  }

  const launcherPid = (): number =>
    (JSON.parse(readFileSync(join(dataDir, 'launcher.lock'), 'utf8')) as { pid: number }).pid;

  const logIn = (url: string, password: string): Promise<Response> =>
    fetch(`${url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ username: 'admin', password } satisfies LoginRequest),
    });

  it('serves the game from an empty folder, and again from the data of the first start', async () => {
    const first = npmStart();
    const { url, password } = await running(first);
    expect((await fetch(`${url}/api/health`)).status).toBe(200);
    const page = await fetch(url);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect((await logIn(url, password)).status).toBe(200);

    first.npm.kill('SIGTERM');
    await first.exitCode;
    await gone(first);

    const second = npmStart();
    const again = await running(second);
    expect(again.password).toBe('as set at first start');
    expect((await logIn(again.url, password)).status).toBe(200);
  });

  it('makes its secrets readable by their owner only', async () => {
    await running(npmStart());
    const mode = (...path: string[]): string => (statSync(join(dataDir, ...path)).mode & 0o777).toString(8);
    const files = [['session-secret'], ['payments-secret'], ['running.json'], ['postgres', 'postgres.password']];
    expect(files.map((path) => mode(...path))).toEqual(files.map(() => '600'));
    expect(mode('logs')).toBe('700');
    expect(existsSync(join(dataDir, 'first-admin-password'))).toBe(false);
  });

  it('refuses a second start on the same data, and prints the running one’s address', async () => {
    const { url } = await running(npmStart());
    const second = npmStart();
    expect(await second.exitCode).toBe(1);
    expect(second.output()).toContain(`Omni Jackpot is already running on this data at ${url}`);
    expect((await fetch(`${url}/api/health`)).status).toBe(200);
  });

  it('refuses to start when PORT is taken', async () => {
    const port = await anyFreePort();
    const occupant = createServer().listen(port, '127.0.0.1');
    await once(occupant, 'listening');
    const start = npmStart({ PORT: String(port) });
    expect(await start.exitCode).toBe(1);
    expect(start.output()).toContain(`port ${port} of 127.0.0.1 is taken`);
    occupant.close();
    await gone(start);
  });

  it('takes the next free port when PORT is not set', async () => {
    const occupant = createServer().listen(3000, '127.0.0.1');
    await Promise.race([once(occupant, 'listening'), once(occupant, 'error')]); // Another program may hold it already.
    const { url } = await running(npmStart());
    expect(Number(new URL(url).port)).toBeGreaterThan(3000);
    occupant.close();
  });

  it('starts concurrently with another start on other data', async () => {
    const [one, other] = [npmStart(), npmStart({ DATA_DIR: join(parent, 'other data') })];
    const pages = await Promise.all(
      [one, other].map(async (start) => {
        const { url } = await running(start);
        const [, payments] = await start.untilPrinted(/Payments +(\S+) /);
        const [, mail] = await start.untilPrinted(/Mail +(\S+) /);
        return [url, payments!, mail!];
      }),
    );
    expect(new Set(pages.flat()).size).toBe(6);
    for (const page of pages.flat()) expect((await fetch(page)).status).toBe(200);
  });

  describe.each<[string, (start: NpmStart) => void]>([
    ['Ctrl-C', (start) => process.kill(-start.npm.pid!, 'SIGINT')],
    ['TERM to npm', (start) => start.npm.kill('SIGTERM')],
    ['kill -9 of npm', (start) => start.npm.kill('SIGKILL')],
    ['kill -9 of the launcher', () => process.kill(launcherPid(), 'SIGKILL')],
  ])('ended by %s', (_, end) => {
    it('leaves no process running, and starts again', async () => {
      const start = npmStart();
      await running(start);
      expect(processesMarked(start.mark).length).toBeGreaterThan(5);
      end(start);
      await gone(start);
      const { url } = await running(npmStart());
      expect((await fetch(`${url}/api/health`)).status).toBe(200);
    });
  });

  it('leaves no process running when it is stopped during its start', async () => {
    const start = npmStart();
    while (!existsSync(join(dataDir, 'postgres', 'postgres.lock'))) await delay(5);
    process.kill(-start.npm.pid!, 'SIGINT');
    await gone(start);
    await running(npmStart());
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot(
    'works as root below a folder that others cannot enter',
    async () => {
      chmodSync(parent, 0o700);
      const start = npmStart();
      const { url } = await running(start);
      const [, elsewhere] = await start.untilPrinted(/Data +.+ and (\S+)\n/);
      expect((await fetch(`${url}/api/health`)).status).toBe(200);
      start.npm.kill('SIGTERM');
      await gone(start);
      rmSync(elsewhere!, { recursive: true });
    },
    60_000,
  );
});

describe('a running application', () => {
  let dataDir: string;
  let application: Application;
  const notices: string[] = [];

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'omni-launch-'));
    mkdirSync(join(dataDir, 'logs'));
    application = await launch({
      dataDir,
      port: { number: 0, exact: true },
      env: { NODE_ENV: 'production', RATE_LIMITS: 'off' },
      notify: (line) => notices.push(line),
    });
  });

  afterAll(async () => {
    await application.stop();
    for (const folder of application.dataFolders) rmSync(folder, { recursive: true, force: true });
  });

  it('serves the practice pages of payments and mail', async () => {
    for (const page of [application.paymentsUrl, application.mailUrl]) {
      const { status, headers } = await fetch(page!);
      expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    }
  });

  it.each(['event store', 'payment gateway', 'mail box', 'projections', 'api'] as const)(
    'restarts the %s after kill -9',
    async (name) => {
      await application.kill9(name);
      expect(notices.join('\n')).toContain(`The ${name} is back.`);
      for (let tries = 0; (await fetch(`${application.url}/api/health`)).status !== 200; tries++) {
        expect(tries).toBeLessThan(400);
        await delay(50);
      }
    },
    60_000,
  );
});
