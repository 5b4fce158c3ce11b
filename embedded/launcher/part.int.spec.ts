import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processStartTime } from '../postgres/folder-lock.js';
import { projectRoot } from './built-files.js';
import { type Part, type PartOptions, startPart } from './part.js';

/** A part that tells its process id, and obeys what is put into it. */
const program = (body: string): string => `
  import { appendFileSync } from 'node:fs';
  appendFileSync(process.env.PIDS, process.pid + '\\n');
  ${body}
  setInterval(() => {}, 1000);`;

const READY = 'console.log(JSON.stringify({ ready: true }));';

describe('a part of the application', () => {
  let folder: string;
  let said: string[];
  const running: Part[] = [];

  beforeAll(() => {
    // A part is started with a preloaded file of the build.
    execFileSync(process.execPath, ['scripts/run.mjs', 'build', 'server'], { cwd: projectRoot() });
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'omni part '));
    said = [];
  });

  afterEach(async () => {
    for (const part of running.splice(0)) await part.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const pids = (): number[] => readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number);

  /** What a part prints is in its log a moment later. */
  async function untilLogged(text: string): Promise<void> {
    const path = join(folder, 'part.log');
    while (!existsSync(path) || !readFileSync(path, 'utf8').includes(text)) await sleep(10);
  }

  async function start(body: string, options: Partial<PartOptions> = {}): Promise<Part> {
    const script = join(folder, 'part.mjs');
    writeFileSync(script, program(body));
    const part = await startPart({
      name: 'api',
      script,
      env: { PIDS: join(folder, 'pids') },
      logFile: join(folder, 'part.log'),
      say: (line) => said.push(line),
      ...options,
    });
    running.push(part);
    return part;
  }

  it('is ready when it says so, and gone when it is stopped', async () => {
    const part = await start(READY);
    const [pid] = pids();
    expect(processStartTime(pid!)).toBeDefined();
    await part.stop();
    expect(processStartTime(pid!)).toBeUndefined();
    expect(said).toEqual([]);
  });

  it('fails with its last words when it ends before it is ready', async () => {
    await expect(start("console.error('no database'); process.exit(3);")).rejects.toThrow(
      /The api did not start \(exit code 3\)\.\nno database/,
    );
  });

  it('comes back after a crash, and the console is told', async () => {
    const part = await start(READY);
    await part.kill9();
    const [first, second] = pids();
    expect(processStartTime(first!)).toBeUndefined();
    expect(processStartTime(second!)).toBeDefined();
    expect(said.join('\n')).toMatch(/The api ended \(SIGKILL\); starting it again.*The api is back/s);
  });

  it('is tried again when it does not come back at once', async () => {
    const flaky = `
      import { readFileSync } from 'node:fs';
      const starts = readFileSync(process.env.PIDS, 'utf8').trim().split('\\n').length;
      if (starts === 2) { console.error('not yet'); process.exit(1); }
      ${READY}`;
    const part = await start(flaky);
    await part.kill9();
    expect(pids()).toHaveLength(3);
    expect(said.join('\n')).toMatch(/did not start \(exit code 1\)\.\nnot yet.*The api is back/s);
  });

  it('restarts in good order when asked', async () => {
    const part = await start(`process.on('SIGTERM', () => { console.log('tidied up'); process.exit(0); }); ${READY}`);
    await part.restart();
    expect(pids()).toHaveLength(2);
    await untilLogged('tidied up');
    expect(said).toEqual([]);
  });

  it('is killed when it will not end', async () => {
    const part = await start(`process.on('SIGTERM', () => {}); ${READY}`, { stopTimeoutMs: 200 });
    await part.stop();
    expect(processStartTime(pids()[0]!)).toBeUndefined();
  });

  it('keeps all it prints in the log, and passes errors on to the console', async () => {
    await start(`
      console.log('a line');
      console.log(JSON.stringify({ level: 30, msg: 'information' }));
      console.log(JSON.stringify({ level: 50, msg: 'something broke' }));
      ${READY}`);
    expect(said).toEqual(['[api] something broke']);
    await running[0]!.stop();
    for (const text of ['a line', 'information', 'something broke']) await untilLogged(text);
  });
});
