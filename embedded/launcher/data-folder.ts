import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder } from '../postgres/folder-lock.js';
import { replaceFile } from '../shared/replace-file.js';

/** The databases, secrets and logs of one installation. */
export type DataFolder = Awaited<ReturnType<typeof openDataFolder>>;

/** The empty file that names the format of a data folder. Another name, with another number, makes all former folders foreign. */
const FORMAT_MARKER = 'format-10';

/** Opens or creates a data folder. Throws FolderInUse, or Error when it holds data of another format, which it leaves as it is. */
export async function openDataFolder(folder: string) {
  await mkdir(folder, { recursive: true });
  const entries = await readdir(folder);
  if (entries.length > 0 && !entries.includes(FORMAT_MARKER)) {
    throw new Error(`${folder} holds data of an earlier build, which this one cannot read: move it, or set DATA_DIR`);
  }
  await writeFile(join(folder, FORMAT_MARKER), '');
  await mkdir(join(folder, 'logs'), { recursive: true });
  // Postgres may run as another account and must pass through. Only the owner reads the logs, which contain personal data.
  await chmod(folder, 0o711);
  await chmod(join(folder, 'logs'), 0o700);
  const lock = await lockFolder(folder, 'launcher.lock');
  const sessionSecretFile = join(folder, 'session-secret');
  const adminPasswordFile = join(folder, 'first-admin-password');
  // Before the session secret, whose file says that the folder is not new.
  const needsPassword = !existsSync(sessionSecretFile) || existsSync(adminPasswordFile);
  const firstAdminPassword = needsPassword ? await readOrCreateSecret(adminPasswordFile, 12, 'base64url') : undefined;
  return {
    folder,
    lock,
    logFile: (name: string) => join(folder, 'logs', `${name.replaceAll(' ', '-')}.log`),
    sessionSecret: await readOrCreateSecret(sessionSecretFile, 32, 'hex'),
    /** Every key and password of the account at the practice gateway. */
    paymentsSecret: await readOrCreateSecret(join(folder, 'payments-secret'), 32, 'hex'),
    practiceToken: await readOrCreateSecret(join(folder, 'practice-token'), 16, 'base64url'),
    adminPasswordFile,
    /** The admin's generated password, while its file exists; undefined afterwards. */
    firstAdminPassword,
    /** To be called when the admin account exists and somebody knows its password. */
    forgetAdminPassword: () => rm(adminPasswordFile, { force: true }),
  };
}

async function readOrCreateSecret(path: string, bytes: number, encoding: 'hex' | 'base64url'): Promise<string> {
  if (existsSync(path)) return (await readFile(path, 'utf8')).trim();
  const value = randomBytes(bytes).toString(encoding);
  await replaceFile(path, `${value}\n`);
  return value;
}
