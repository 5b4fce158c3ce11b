import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LaunchOptions } from '@playwright/test';

const CACHE = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url));

/** No sandbox, because containers and root have none; no background requests to the network. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Glyph positions without rounding to whole pixels: pictures then show the spacing of a usual display.
  '--font-render-hinting=none',
];

/** The package's own settings search its fonts in /tmp only. */
const FONT_SETTINGS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;

/**
 * Launch options of the browser: the one that CHROMIUM_PATH names, else that of the npm package @sparticuz/chromium, which
 * needs no installation by hand. The package is for Linux on x64; elsewhere `npx playwright install chromium` is needed.
 */
export async function browserForTests(): Promise<LaunchOptions> {
  const path = process.env.CHROMIUM_PATH;
  if (path !== undefined && path !== '') return { executablePath: path, args: ARGUMENTS };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { args: ARGUMENTS };
  const folder = await unpackedBrowser();
  return {
    executablePath: join(folder, 'chromium'),
    args: ARGUMENTS,
    // The package's own libraries and fonts, because a bare server has neither.
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  };
}

/** Unpacks the package once, into a temporary folder that is then renamed: concurrent runs never see half a browser. */
async function unpackedBrowser(): Promise<string> {
  const packageFile = join(
    dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
    '../../package.json',
  );
  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
  const folder = join(CACHE, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const unpacking = await mkdtemp(join(CACHE, 'chromium-'));
  // The package unpacks into TMPDIR; it unpacks its libraries only when this variable is set.
  await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', "await (await import('@sparticuz/chromium')).default.executablePath()"],
    {
      cwd: dirname(fileURLToPath(import.meta.url)),
      env: { ...process.env, TMPDIR: unpacking, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    },
  );
  await writeFile(join(unpacking, 'fonts', 'fonts.conf'), FONT_SETTINGS);
  await rename(unpacking, folder).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(unpacking, { recursive: true }); // Another run has unpacked it meanwhile.
  });
  return folder;
}
