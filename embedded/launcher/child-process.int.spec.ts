import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTests } from '../../contracts/testing/folder.js';
import { until } from '../../contracts/testing/until.js';
import { processStartTime } from '../postgres/folder-lock.js';
import { type ProcessOptions, startProcess } from './child-process.js';

const program = (body: string): string => `
  import { appendFileSync } from 'node:fs';
  appendFileSync(process.env.PIDS, process.pid + '\\n');
  ${body}
  setInterval(() => {}, 1000);`;

const READY = 'console.log(JSON.stringify({ ready: true }));';

describe('a process of the launcher', () => {
  const folder = folderForTests('each');
  let notices: string[];
  const started: Awaited<ReturnType<typeof startProcess>>[] = [];

  beforeEach(() => {
    notices = [];
  });

  afterEach(async () => {
    for (const running of started.splice(0)) await running.stop();
  });

  const pids = (): number[] => readFileSync(join(folder(), 'pids'), 'utf8').trim().split('\n').map(Number);

  async function start(body: string, options: Partial<ProcessOptions> = {}) {
    const script = join(folder(), 'process.mjs');
    writeFileSync(script, program(body));
    const running = await startProcess({
      name: 'api',
      script,
      env: { PIDS: join(folder(), 'pids') },
      logFile: join(folder(), 'process.log'),
      notify: (line) => notices.push(line),
      ...options,
    });
    started.push(running);
    return running;
  }

  it('is ready when it prints that it is, and has ended after stop()', async () => {
    const running = await start(READY);
    const [pid] = pids();
    expect(processStartTime(pid!)).toBeDefined();
    await running.stop();
    expect(processStartTime(pid!)).toBeUndefined();
    expect(notices).toEqual([]);
  });

  it('does not start when it ends before it is ready, and says how it ended', async () => {
    const starting = start(`console.error('not today'); process.exit(1);`);
    await expect(starting).rejects.toThrow('The api did not start: exit code 1; see ');
    expect(notices).toEqual(['[api] not today']);
  });

  it('is killed when it ignores SIGTERM', async () => {
    const running = await start(`process.on('SIGTERM', () => {}); ${READY}`, { stopTimeoutMs: 200 });
    await running.stop();
    expect(processStartTime(pids()[0]!)).toBeUndefined();
  });

  it('writes its output to the log, and reports errors on the console', async () => {
    await start(`
      console.log('a line');
      console.log(JSON.stringify({ level: 30, msg: 'information' }));
      console.log(JSON.stringify({ level: 50, msg: 'something broke' }));
      ${READY}`);
    expect(notices).toEqual(['[api] something broke']);
    await started[0]!.stop();
    const log = () => readFileSync(join(folder(), 'process.log'), 'utf8');
    await until(() => ['a line', 'information', 'something broke'].every((text) => log().includes(text)));
  });

  const withFullDisk = existsSync('/dev/full') ? it : it.skip;
  withFullDisk('goes on when its log cannot be written, and reports that once', async () => {
    const twoLines = `console.log('a line'); setTimeout(() => console.log('another'), 50);`;
    await start(`${twoLines} setTimeout(() => { ${READY} }, 100);`, { logFile: '/dev/full' });
    expect(notices).toEqual([expect.stringContaining('ENOSPC')]);
  });
});
