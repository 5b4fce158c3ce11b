import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformFile } from '@swc/core';

/**
 * Starts the Postgres of the integration tests, unless TEST_POSTGRES_URL already names one.
 * Jest loads this file without the module mapper that our `.js` imports need, so it compiles the folder's sources first.
 */
export default async function setUp() {
  if (process.env.TEST_POSTGRES_URL !== undefined) return;
  const here = dirname(fileURLToPath(import.meta.url));
  const compiled = join(here, '..', '..', 'node_modules', '.cache', 'test-postgres', String(process.pid));
  await mkdir(compiled, { recursive: true });
  const sources = (await readdir(here)).filter((name) => name.endsWith('.ts') && !name.includes('.spec.'));
  for (const source of sources) {
    const { code } = await transformFile(join(here, source), {
      module: { type: 'es6' },
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    });
    await writeFile(join(compiled, source.replace(/ts$/, 'js')), code);
  }
  const { startPostgres } = await import(pathToFileURL(join(compiled, 'postgres-server.js')).href);
  const dataDir = await mkdtemp(join(tmpdir(), 'omni-test-postgres-'));
  const server = await startPostgres({ dataDir, temporary: true });
  process.env.TEST_POSTGRES_URL = server.url('postgres');
  process.env.TEST_POSTGRES_SOURCES = compiled;
  globalThis.__testPostgres = { server, folders: [dataDir, compiled] };
}
