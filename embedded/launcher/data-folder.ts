import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FolderLock, lockFolder } from '../postgres/folder-lock.js';
import { replaceFile } from '../shared/replace-file.js';

/** The databases, secrets and logs of one installation. */
export interface DataFolder {
  folder: string;
  lock: FolderLock;
  logFile(name: string): string;
  sessionSecret: string;
  /** The practice gateway's account derives its key and passwords from it. */
  paymentsSecret: string;
  /** The admin's password until it has been shown once; undefined afterwards. */
  firstAdminPassword: string | undefined;
  /** Deletes the password's file. Call it when the admin account exists and the password has been shown. */
  forgetAdminPassword(): Promise<void>;
}

/** @throws FolderInUse when another launcher runs on this folder; its note is that application's address. */
export async function openDataFolder(folder: string): Promise<DataFolder> {
  await mkdir(join(folder, 'logs'), { recursive: true });
  // Postgres may run as another account and must pass through. Only the owner reads the logs, which contain personal data.
  await chmod(folder, 0o711);
  await chmod(join(folder, 'logs'), 0o700);
  const lock = await lockFolder(folder, 'launcher.lock');
  const shownMarker = join(folder, 'admin-password-was-shown');
  const passwordFile = join(folder, 'first-admin-password');
  return {
    folder,
    lock,
    logFile: (name) => join(folder, 'logs', `${name.replaceAll(' ', '-')}.log`),
    sessionSecret: await readOrCreateSecret(join(folder, 'session-secret'), 32, 'hex'),
    paymentsSecret: await readOrCreateSecret(join(folder, 'payments-secret'), 32, 'hex'),
    firstAdminPassword: existsSync(shownMarker) ? undefined : await readOrCreateSecret(passwordFile, 12, 'base64url'),
    async forgetAdminPassword() {
      await writeFile(shownMarker, '');
      await rm(passwordFile, { force: true });
    },
  };
}

/** Reads the secret, or creates it on the first start. */
async function readOrCreateSecret(path: string, bytes: number, encoding: 'hex' | 'base64url'): Promise<string> {
  if (existsSync(path)) return (await readFile(path, 'utf8')).trim();
  const value = randomBytes(bytes).toString(encoding);
  await replaceFile(path, `${value}\n`);
  return value;
}
