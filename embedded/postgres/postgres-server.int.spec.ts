import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../contracts/testing/until.js';
import { processStartTime } from './folder-lock.js';
import { startPostgres } from './postgres-server.js';
import { query } from './testing/test-database.js';

const pidOf = (server: { folder: string }): number =>
  Number(readFileSync(join(server.folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);

describe('the embedded Postgres', () => {
  let parent: string;
  let dataDir: string;
  const running: Awaited<ReturnType<typeof startPostgres>>[] = [];

  async function start(options: { dataDir?: string } = {}) {
    const server = await startPostgres({ dataDir, ...options });
    running.push(server);
    return server;
  }

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'omni postgres '));
    chmodSync(parent, 0o711);
    dataDir = join(parent, 'the data');
  });

  afterEach(async () => {
    const servers = running.splice(0);
    for (const server of servers) await server.stop();
    for (const server of servers) rmSync(server.folder, { recursive: true, force: true });
    rmSync(parent, { recursive: true, force: true });
  });

  it('is durable, listens on loopback only, keeps its data across restarts, and recovers after its death', async () => {
    const first = await start();
    await expectSettings(first.url('postgres'));
    await query(first.url('postgres'), 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const second = await start();
    expect(await query(second.url('postgres'), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    process.kill(pidOf(second), 'SIGKILL');
    await second.ended;
    await second.stop();
    const third = await start();
    expect(await query(third.url('postgres'), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  async function expectSettings(url: string): Promise<void> {
    const expected = {
      fsync: 'on',
      full_page_writes: 'on',
      listen_addresses: '127.0.0.1',
      synchronous_commit: 'on',
      TimeZone: 'UTC',
      unix_socket_directories: '',
    };
    for (const [name, value] of Object.entries(expected))
      expect(await query(url, `SHOW ${name}`)).toEqual([{ [name]: value }]);
    const columns = 'datlocale, datlocprovider, pg_encoding_to_char(encoding) AS encoding';
    const [database] = await query(url, `SELECT ${columns} FROM pg_database WHERE datname = current_database()`);
    // Sorted alike on every machine.
    expect(database).toEqual({ datlocale: 'C.UTF-8', datlocprovider: 'b', encoding: 'UTF8' });
    await expect(query(url.replace(/:[^:@]+@/, ':guess@'), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  }

  /** Starts the server from another process, by the compiled sources of the tests' own Postgres, and kills that process. */
  async function startInKilledProcess(temporary: boolean): Promise<number> {
    const compiled = join(process.env.TEST_POSTGRES_SOURCES!, 'postgres-server.js');
    const script = `
      import { startPostgres } from ${JSON.stringify(compiled)};
      import { readFileSync } from 'node:fs';
      const server = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, temporary: ${temporary} });
      console.log(readFileSync(server.folder + '/cluster/postmaster.pid', 'utf8').split('\\n')[0]);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [pid] = (await once(child.stdout, 'data')) as [Buffer];
    child.kill('SIGKILL');
    await once(child, 'exit');
    return Number(pid.toString());
  }

  it('is stopped and replaced by the next start when its parent was killed', async () => {
    const left = await startInKilledProcess(false);
    const server = await start();
    expect(await query(server.url('postgres'), 'SELECT 3 AS three')).toEqual([{ three: 3 }]);
    expect(processStartTime(left)).toBeUndefined();
  });

  it('removes its data when its parent was killed and it is temporary', async () => {
    const left = await startInKilledProcess(true);
    await until(() => !existsSync(dataDir));
    expect(processStartTime(left)).toBeUndefined();
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot('works as root below a folder that others cannot enter, and finds its data on the next start', async () => {
    chmodSync(parent, 0o700);
    const first = await start();
    expect(first.folder.startsWith(parent)).toBe(false);
    await query(first.url('postgres'), 'CREATE TABLE kept AS SELECT 4 AS four');
    await first.stop();
    const second = await start();
    expect(second.folder).toBe(first.folder);
    expect(await query(second.url('postgres'), 'SELECT four FROM kept')).toEqual([{ four: 4 }]);
  });
});
