import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoginRequest } from '../../contracts/http/gamers.js';
import { until } from '../../contracts/testing/until.js';
import { builtFile, projectRoot } from './built-files.js';
import { type Program, programOf } from './testing/program.js';

/** Environment variable that marks every process of one start. */
const MARK = 'OMNI_LAUNCHER_TEST';

function processesMarked(mark: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readProc(pid, 'environ').includes(`${MARK}=${mark}`))
    .map((pid) => ({ pid: Number(pid), command: readProc(pid, 'cmdline').replaceAll('\0', ' ') }));
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // The process ended meanwhile.
  }
}

type NpmStart = Program & { mark: string };
type Game = NpmStart & { url: string; password: string };

/** A start takes seconds, so the tests share one: each that ends it starts it again on the same data. */
describe('npm start', () => {
  let parent: string;
  let dataDir: string;
  let occupant: Server;
  /** Ended during the first start on the data. */
  let interrupted: NpmStart;
  let game: Game;
  let firstPassword: string;
  const starts: NpmStart[] = [];

  beforeAll(async () => {
    occupant = createServer().listen(3000, '127.0.0.1');
    await once(occupant, 'listening').catch(() => undefined); // Another program may hold it already.
    parent = mkdtempSync(join(tmpdir(), 'omni launch '));
    chmodSync(parent, 0o711);
    dataDir = join(parent, 'the data');
    interrupted = npmStart();
    await until(() => existsSync(join(dataDir, 'postgres', 'postgres.password')));
    // Ctrl-C goes to the whole group.
    process.kill(-interrupted.child.pid!, 'SIGINT');
    await gone(interrupted);
    game = await running(npmStart());
    expect(game.password).toBe(`in ${join(dataDir, 'first-admin-password')}`);
    firstPassword = readFileSync(join(dataDir, 'first-admin-password'), 'utf8').trim();
  });

  afterAll(async () => {
    occupant.close();
    for (const start of starts) {
      start.child.kill('SIGKILL');
      await gone(start);
    }
    rmSync(parent, { recursive: true, force: true });
  });

  function npmStart(env: Record<string, string> = {}): NpmStart {
    const mark = randomUUID();
    // The application must not inherit Jest's environment, such as NODE_ENV.
    const { PATH, HOME, TMPDIR } = process.env;
    const settings = { DATA_DIR: dataDir, RATE_LIMITS: 'off', ENDS_WITH_INPUT: '1' };
    const npm = spawn('npm', ['start'], {
      cwd: projectRoot(),
      env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...settings, [MARK]: mark, ...env },
      detached: true, // In a process group of its own, as in a terminal.
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const start = { ...programOf(npm), mark };
    starts.push(start);
    return start;
  }

  async function running(start: NpmStart): Promise<Game> {
    const [, url, password] = await start.untilPrinted(/Address +(\S+)\n +Admin +admin, password (.+)\n/);
    return { ...start, url: url!, password: password! };
  }

  async function gone(start: NpmStart): Promise<void> {
    await until(
      () => processesMarked(start.mark).map(({ command }) => command),
      (commands) => commands.length === 0,
    );
  }

  const logIn = (url: string, password: string): Promise<Response> =>
    fetch(`${url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ username: 'admin', password } satisfies LoginRequest),
    });

  const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

  it('serves the game on the next free port from a folder on which its first start was interrupted, with cosigned heads', async () => {
    expect(interrupted.output()).not.toContain('Address');
    expect(Number(new URL(game.url).port)).toBeGreaterThan(3000);
    expect(await statusOf(`${game.url}/api/health`)).toBe(200);
    expect((await fetch(game.url)).headers.get('content-type')).toContain('text/html');
    expect((await logIn(game.url, firstPassword)).status).toBe(200);
    const head = await until(
      () => fetch(`${game.url}/log/checkpoint/witnessed`),
      ({ status }) => status !== 404,
    );
    expect(await head.text()).toMatch(/\n— witness\.invalid\/\S+ /);
  });

  it('serves the practice mails and the payer’s controls only with the token of the data folder', async () => {
    const [, mail] = game.output().match(/Mail +(\S+) /)!;
    const contentsOf = (name: string) => readFileSync(join(dataDir, name), 'utf8').trim();
    const { paymentsUrl } = JSON.parse(contentsOf('running.json')) as { paymentsUrl: string };
    for (const page of [mail!, `${paymentsUrl}/_stand-in/payments`]) {
      expect(await statusOf(page)).toBe(403);
      const { status } = await fetch(page, { headers: { authorization: `Bearer ${contentsOf('practice-token')}` } });
      expect(status).toBe(200);
    }
  });

  it('makes its secrets readable by their owner only', () => {
    const mode = (path: string): string => (statSync(join(dataDir, path)).mode & 0o777).toString(8);
    const ownFiles = ['session-secret', 'payments-secret', 'witness.json', 'first-admin-password', 'practice-token'];
    for (const path of [...ownFiles, 'running.json', 'postgres/postgres.password'])
      expect([path, mode(path)]).toEqual([path, '600']);
    expect(mode('logs')).toBe('700');
    // Neither is printed into a pipe, which may end in a file that is kept, nor into a log.
    const secrets = ['first-admin-password', 'practice-token'].map((name) =>
      readFileSync(join(dataDir, name), 'utf8').trim(),
    );
    const logs = readdirSync(join(dataDir, 'logs')).map((name) => readFileSync(join(dataDir, 'logs', name), 'utf8'));
    for (const secret of secrets) for (const text of [game.output(), ...logs]) expect(text).not.toContain(secret);
  });

  it('refuses a second start on the same data, and prints the running one’s address', async () => {
    const second = npmStart();
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`Omni Jackpot is already running on this data at ${game.url}`);
    expect(await statusOf(`${game.url}/api/health`)).toBe(200);
  });

  it('refuses to start when PORT is taken', async () => {
    const { port } = new URL(game.url);
    const start = npmStart({ PORT: port, DATA_DIR: join(parent, 'unused data') });
    expect(await start.ended).toBe(1);
    expect(start.output()).toContain(`port ${port} of 127.0.0.1 is taken`);
    await gone(start);
  });

  it('ends with all its processes when one is killed, and says which', async () => {
    const api = processesMarked(game.mark).find(({ command }) => command.includes('api/src/main.js'));
    process.kill(api!.pid, 'SIGKILL');
    expect(await game.ended).toBe(1);
    expect(game.output()).toContain('The api ended (SIGKILL).');
    await gone(game);
    game = await running(npmStart());
  });

  it('leaves no process after kill -9 of npm, starts from a copy of its data, which the auditor verifies, and leaves none after kill -9 of the launcher', async () => {
    game.child.kill('SIGKILL');
    await gone(game);
    const copy = join(parent, 'the restored data');
    execFileSync('cp', ['-a', dataDir, copy]);
    rmSync(dataDir, { recursive: true });
    const restored = await running(npmStart({ DATA_DIR: copy }));
    expect(restored.password).toBe(`in ${join(copy, 'first-admin-password')}`);
    expect((await logIn(restored.url, firstPassword)).status).toBe(200);
    const env = { ...process.env, DATA_DIR: copy };
    const verdict = execFileSync(process.execPath, [builtFile('audit/main.js'), 'verify'], { env, encoding: 'utf8' });
    expect(verdict).toContain('compared as of event');
    expect(processesMarked(restored.mark).length).toBeGreaterThan(5);
    const lock = readFileSync(join(copy, 'launcher.lock'), 'utf8');
    process.kill((JSON.parse(lock) as { pid: number }).pid, 'SIGKILL');
    await gone(restored);
  });
});
