import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { chown, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { endWithUs } from './death-watch.js';
import { lockFolder } from './folder-lock.js';
import { anyFreePort, isPortFree } from './free-port.js';
import { openPostgresHome, type PostgresHome, program } from './postgres-home.js';

const run = promisify(execFile);

const HOST = '127.0.0.1';
const SUPERUSER = 'omni';
const START_TIMEOUT_MS = 120_000; // After a crash it first replays its log, which takes what it takes.
const STOP_TIMEOUT_S = 60;
const POLL_INTERVAL_MS = 15;

const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

export interface PostgresOptions {
  /** Where the data is kept between runs; made when absent. */
  dataDir: string;
  /** Any free port when absent. */
  port?: number;
  /** The server's own log; `dataDir/postgres.log` when absent. */
  logFile?: string;
  /** For tests: nothing is forced to disk, and the data is removed when the server or this process ends. */
  temporary?: boolean;
}

export interface PostgresServer {
  port: number;
  /** The folder that holds the data. It is not below `dataDir` when others cannot enter that; see postgres-home. */
  folder: string;
  /** The connection string of a database, with the password in it. */
  url(database: string): string;
  /** Resolves when the server's process has ended, for whatever reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a real Postgres, listening on 127.0.0.1 alone, as a child process that ends when this process does.
 * A server left over from a killed process is stopped first.
 *
 * @throws FolderInUse when a living process runs it on this folder; Error when the asked port is taken.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const dataDir = resolve(options.dataDir);
  const home = await openPostgresHome(dataDir, options.temporary ? '/var/tmp' : undefined);
  const lock = await lockFolder(dataDir, 'postgres.lock');
  try {
    await stopOrphan(home);
    const password = await initialise(home, dataDir);
    const server = await startOnPort(home, dataDir, password, options);
    const stop = async (): Promise<void> => {
      await stopServer(home, server.process);
      await lock.release();
      if (options.temporary) await Promise.all([home.folder, dataDir].map(remove));
    };
    const { port, url, exited } = server;
    let stopped: Promise<void> | undefined;
    return { port, url, exited, folder: home.folder, stop: () => (stopped ??= stop()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function stopOrphan(home: PostgresHome): Promise<void> {
  if (!(await isRunning(home))) return;
  try {
    await pgCtl(home, ['stop', '-m', 'fast', '-w', '-t', String(STOP_TIMEOUT_S)]);
  } catch (error) {
    // Its own watch over the process that started it may have stopped it in this very moment.
    if (await isRunning(home)) throw error;
  }
}

async function isRunning(home: PostgresHome): Promise<boolean> {
  if (!existsSync(join(home.cluster, 'postmaster.pid'))) return false;
  try {
    await pgCtl(home, ['status']);
    return true;
  } catch {
    return false; // Its process is gone; Postgres itself clears the file away.
  }
}

/** Makes the cluster at the first start. It is made aside and renamed, so that a killed first start leaves no half. */
async function initialise(home: PostgresHome, dataDir: string): Promise<string> {
  const passwordFile = join(dataDir, 'postgres.password');
  if (existsSync(home.cluster)) return (await readFile(passwordFile, 'utf8')).trim();

  const password = randomBytes(24).toString('hex');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  const unfinished = join(home.folder, 'cluster.new');
  const handover = join(home.folder, 'password.new');
  await remove(unfinished);
  await writeFile(handover, `${password}\n`, { mode: 0o600 });
  if ('uid' in home.account) await chown(handover, home.account.uid, home.account.gid);
  await run(
    program(home, 'initdb'),
    [
      `--pgdata=${unfinished}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${handover}`,
      '--auth-host=scram-sha-256',
      '--auth-local=reject',
      '--encoding=UTF8',
      // The same order of text on every machine, whatever locales it has.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ],
    { ...home.account, cwd: '/' },
  );
  await rm(handover);
  await rename(unfinished, home.cluster);
  return password;
}

interface Started {
  process: ChildProcess;
  port: number;
  url(database: string): string;
  exited: Promise<void>;
}

async function startOnPort(
  home: PostgresHome,
  dataDir: string,
  password: string,
  options: PostgresOptions,
): Promise<Started> {
  if (options.port !== undefined && !(await isPortFree(options.port))) {
    throw new Error(`Postgres cannot start: port ${options.port} is taken`);
  }
  const logFile = options.logFile ?? join(dataDir, 'postgres.log');
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await anyFreePort());
    const child = spawnServer(home, port, logFile, options.temporary === true);
    const exited = once(child, 'exit').then(() => undefined);
    const url = (database: string): string =>
      `postgres://${SUPERUSER}:${password}@${HOST}:${port}/${encodeURIComponent(database)}`;
    if (child.pid === undefined) throw new Error(`Postgres cannot start: ${program(home, 'postgres')} does not run`);
    const watch = endWithUs(child.pid, 'INT', options.temporary ? [home.folder, dataDir] : []);
    void exited.then(() => watch.cancel());
    if (await becameReady(child, url('postgres'))) return { process: child, port, url, exited };
    // Another program may have taken the port between the look and the start.
    if (options.port !== undefined || attempt === 3) throw new Error(`Postgres did not start; see ${logFile}`);
  }
}

function spawnServer(home: PostgresHome, port: number, logFile: string, temporary: boolean): ChildProcess {
  const durable = temporary ? 'off' : 'on';
  const settings: Record<string, string> = {
    listen_addresses: HOST,
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '256MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    fsync: durable,
    synchronous_commit: durable,
    full_page_writes: durable,
  };
  const log = openSync(logFile, 'w', 0o600);
  const child = spawn(
    program(home, 'postgres'),
    ['-D', home.cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // Detached: Ctrl-C in the terminal must not stop it before those who still write to it.
    { ...home.account, cwd: '/', detached: true, stdio: ['ignore', log, log] },
  );
  child.on('error', () => undefined); // The missing pid tells it.
  closeSync(log);
  return child;
}

/** Waits until it answers; false when its process ended instead. */
async function becameReady(child: ChildProcess, url: string): Promise<boolean> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (child.exitCode === null && child.signalCode === null) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch (error) {
      const code = (error as { code?: string }).code;
      const startingUp = code === '57P03' || code === 'ECONNREFUSED' || code === 'ECONNRESET';
      if (!startingUp || performance.now() > deadline) {
        child.kill('SIGINT');
        throw error;
      }
      await delay(POLL_INTERVAL_MS);
    }
  }
  return false;
}

async function stopServer(home: PostgresHome, child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  await pgCtl(home, ['stop', '-m', 'fast', '-W']);
  await exited;
}

async function pgCtl(home: PostgresHome, args: string[]): Promise<void> {
  await run(program(home, 'pg_ctl'), [...args, '-D', home.cluster], { ...home.account, cwd: '/' });
}
