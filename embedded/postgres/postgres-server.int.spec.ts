import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { until } from '../../contracts/testing/until.js';
import { processStartTime } from './folder-lock.js';
import { anyFreePort } from './free-port.js';
import { startPostgres } from './postgres-server.js';

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

const pidOf = (server: { folder: string }): number =>
  Number(readFileSync(join(server.folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);

describe('the embedded Postgres', () => {
  let parent: string;
  let dataDir: string;
  const running: Awaited<ReturnType<typeof startPostgres>>[] = [];

  async function start(options: { port?: number; dataDir?: string } = {}) {
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

  it('fails when the requested port is taken; keeps its data across restarts, reports its death, and recovers on the next start', async () => {
    const port = await anyFreePort();
    const occupant = createServer().listen(port, '127.0.0.1');
    await once(occupant, 'listening');
    await expect(startPostgres({ dataDir, port })).rejects.toThrow(`port ${port} is taken`);
    occupant.close();
    const first = await start({ port });
    expect(first.port).toBe(port);
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

  it('is durable, sorts independently of the machine’s locale, and listens on loopback only', async () => {
    const server = await start();
    const settings = await query(
      server.url('postgres'),
      "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'unix_socket_directories', 'TimeZone') ORDER BY lower(name)",
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      listen_addresses: '127.0.0.1',
      synchronous_commit: 'on',
      TimeZone: 'UTC',
      unix_socket_directories: '',
    });
    const [database] = await query(
      server.url('postgres'),
      'SELECT datlocale, datlocprovider, pg_encoding_to_char(encoding) AS encoding FROM pg_database WHERE datname = current_database()',
    );
    expect(database).toEqual({ datlocale: 'C.UTF-8', datlocprovider: 'b', encoding: 'UTF8' });

    const wrong = new URL(server.url('postgres'));
    wrong.password = 'guess';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  describe('whose parent was killed', () => {
    /** Starts the server from another process, by the compiled sources of the tests' own Postgres. */
    async function startInAnotherProcess(
      temporary: boolean,
    ): Promise<{ kill(): Promise<void>; pid: number; url: string }> {
      const compiled = process.env.TEST_POSTGRES_SOURCES;
      const script = `
        import { startPostgres } from ${JSON.stringify(join(compiled!, 'postgres-server.js'))};
        import { readFileSync } from 'node:fs';
        const server = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, temporary: ${temporary} });
        const pid = Number(readFileSync(server.folder + '/cluster/postmaster.pid', 'utf8').split('\\n')[0]);
        console.log(JSON.stringify({ pid, url: server.url('postgres') }));`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const { pid, url } = JSON.parse(line.toString()) as { pid: number; url: string };
      const kill = async (): Promise<void> => {
        child.kill('SIGKILL');
        await once(child, 'exit');
      };
      return { kill, pid, url };
    }

    it('is stopped and replaced by the next start', async () => {
      const other = await startInAnotherProcess(false);
      await query(other.url, 'CREATE TABLE kept AS SELECT 3 AS three');
      await other.kill();
      const server = await start();
      expect(await query(server.url('postgres'), 'SELECT three FROM kept')).toEqual([{ three: 3 }]);
    });

    it('removes its data when it is temporary', async () => {
      const other = await startInAnotherProcess(true);
      await other.kill();
      await until(() => !existsSync(dataDir));
      expect(processStartTime(other.pid)).toBeUndefined();
    });
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
