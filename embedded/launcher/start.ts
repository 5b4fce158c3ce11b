import { join } from 'node:path';
import { FolderInUse } from '../postgres/folder-lock.js';
import { portSetting } from '../shared/stand-in-process.js';
import { projectRoot } from './built-files.js';
import { type Application, launch, readAddresses } from './launch.js';

let application: Application | undefined;
let ending = false;

async function end(exitCode: number): Promise<void> {
  if (ending) return;
  ending = true;
  console.log('\nStopping …');
  // During the start there is no application yet; the processes that already run end with this one.
  await application?.stop();
  process.exit(exitCode);
}

for (const [signal, exitCode] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }))
  process.on(signal, () => void end(exitCode));

// A killed process sends no signal to its children, but its pipe closes.
if (process.env.ENDS_WITH_INPUT) {
  process.stdin.once('close', () => void end(1)).resume();
  // The open input alone must not keep the process alive.
  (process.stdin as NodeJS.ReadStream & { unref?(): void }).unref?.();
}

/** Only a terminal is shown the admin's generated password and the practice pages' token, because a file would keep them. */
const isTerminal = process.stdout.isTTY === true;

function describePassword({ adminPassword, adminPasswordFile }: Application): string {
  if (process.env.ADMIN_PASSWORD) return 'as set by ADMIN_PASSWORD';
  if (adminPassword === undefined) return 'as set at first start';
  return isTerminal ? `${adminPassword} (shown once)` : `in ${adminPasswordFile}`;
}

function greet(application: Application): void {
  const { url, mailUrl, adminGamerTag, dataFolders, practiceToken } = application;
  const token = isTerminal ? `/?token=${practiceToken}` : '/?token=';
  const pages = [
    mailUrl && `Mail      ${mailUrl}${token} (what the game sends)`,
    !isTerminal && mailUrl && `Token     in ${join(dataFolders[0] ?? '', 'practice-token')}`,
  ];
  const addresses = pages.map((page) => (page ? `\n    ${page}` : '')).join('');
  console.log(`
  Omni Jackpot is running.

    Address   ${url}
    Admin     ${adminGamerTag}, password ${describePassword(application)}${addresses}
    Data      ${dataFolders.join(' and ')}

  Ctrl-C stops it.
`);
}

/** Starts the application in this process, and prints its addresses or why it did not start. The api waits for the client. */
export async function start(clientIsBuilt?: Promise<void>): Promise<void> {
  try {
    application = await launch({
      dataDir: process.env.DATA_DIR ?? join(projectRoot(), '.data'),
      port: process.env.PORT ? portSetting('PORT', 0) : undefined,
      host: process.env.HOST,
      showsAdminPassword: isTerminal,
      notify: (line) => console.error(line),
      onEnd(message) {
        console.error(message);
        void end(1);
      },
      clientIsBuilt,
    });
    greet(application);
  } catch (error) {
    if (error instanceof FolderInUse) {
      const { url } = await readAddresses(error.folder).catch(() => ({ url: '' }));
      console.error(`Omni Jackpot is already running on this data${url && ` at ${url}`} (process ${error.holderPid}).`);
    } else {
      console.error(`Omni Jackpot did not start: ${(error as Error).message}`);
    }
    process.exitCode = 1;
  }
}
