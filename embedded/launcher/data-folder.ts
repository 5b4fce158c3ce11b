import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FolderLock, lockFolder } from '../postgres/folder-lock.js';

/** Where everything of one installation is kept: databases, secrets and logs. */
export interface DataFolder {
  path: string;
  lock: FolderLock;
  logFile(name: string): string;
  sessionSecret: string;
  /** Of the practice payment gateway's account. */
  paymentsSecret: string;
  /** The admin's password as long as it was never shown; undefined afterwards. */
  firstAdminPassword: string | undefined;
  /** Call it when the admin exists and the password has been shown: it is then forgotten here. */
  forgetAdminPassword(): Promise<void>;
}

/** @throws FolderInUse when another launcher runs on this folder; its note is that one's address. */
export async function openDataFolder(path: string): Promise<DataFolder> {
  await mkdir(join(path, 'logs'), { recursive: true });
  // Passable, because Postgres may run as another account than ours; not readable, because the logs tell of people.
  await chmod(path, 0o711);
  await chmod(join(path, 'logs'), 0o700);
  const lock = await lockFolder(path, 'launcher.lock');
  const shownMark = join(path, 'admin-password-was-shown');
  const passwordFile = join(path, 'first-admin-password');
  return {
    path,
    lock,
    logFile: (name) => join(path, 'logs', `${name.replaceAll(' ', '-')}.log`),
    sessionSecret: await secret(join(path, 'session-secret'), 32, 'hex'),
    paymentsSecret: await secret(join(path, 'payments-secret'), 32, 'hex'),
    firstAdminPassword: existsSync(shownMark) ? undefined : await secret(passwordFile, 12, 'base64url'),
    async forgetAdminPassword() {
      await writeFile(shownMark, '');
      await rm(passwordFile, { force: true });
    },
  };
}

/** Reads a secret, or makes it: renamed into place, so that a crash leaves the whole of it or nothing. */
async function secret(path: string, bytes: number, encoding: 'hex' | 'base64url'): Promise<string> {
  if (existsSync(path)) return (await readFile(path, 'utf8')).trim();
  const value = randomBytes(bytes).toString(encoding);
  await writeFile(`${path}.new`, `${value}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  return value;
}
