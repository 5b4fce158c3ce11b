import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LaunchOptions } from '@playwright/test';

const CACHE = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url));

/** Without a sandbox, because containers and root have none to offer; without a word to anybody on the network. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Letters stand where the font puts them, not on whole pixels: pictures show the spacing that people see.
  '--font-render-hinting=none',
];

/** The package's own settings look for its fonts in /tmp, wherever they were unpacked. */
const FONT_SETTINGS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;

/**
 * The browser that the tests drive: the one that CHROMIUM_PATH names, else the one in the npm package
 * @sparticuz/chromium, so that nothing has to be installed by hand. That one is for Linux on x64; elsewhere it is the
 * one that `npx playwright install chromium` installed.
 */
export async function browserForTests(): Promise<LaunchOptions> {
  const path = process.env.CHROMIUM_PATH;
  if (path !== undefined && path !== '') return { executablePath: path, args: QUIET };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { args: QUIET };
  const folder = await unpackedBrowser();
  return {
    executablePath: join(folder, 'chromium'),
    args: QUIET,
    // Its own libraries and fonts: a bare server has neither.
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  };
}

/** Unpacks the package once, aside and then renamed, so that runs at the same time never see half a browser. */
async function unpackedBrowser(): Promise<string> {
  const packageFile = join(
    dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
    '../../package.json',
  );
  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
  const folder = join(CACHE, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const aside = await mkdtemp(join(CACHE, 'chromium-'));
  // The package unpacks into TMPDIR, and its libraries only where it takes itself to be on Amazon's servers.
  await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', "await (await import('@sparticuz/chromium')).default.executablePath()"],
    {
      cwd: dirname(fileURLToPath(import.meta.url)),
      env: { ...process.env, TMPDIR: aside, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    },
  );
  await writeFile(join(aside, 'fonts', 'fonts.conf'), FONT_SETTINGS);
  await rename(aside, folder).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(aside, { recursive: true }); // Another run was quicker.
  });
  return folder;
}
