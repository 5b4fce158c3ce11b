import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder } from './data-folder.js';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'omni data '));
});
afterEach(() => rmSync(parent, { recursive: true }));

it('opens a folder that it made again, with the same secrets', async () => {
  const folder = join(parent, 'data');
  const { lock, sessionSecret } = await openDataFolder(folder);
  await lock.release();
  const again = await openDataFolder(folder);
  expect(again.sessionSecret).toBe(sessionSecret);
  await again.lock.release();
});

it('refuses a folder of an earlier build by its name, and leaves it as it is', async () => {
  writeFileSync(join(parent, 'session-secret'), 'a former secret');
  const before = statSync(parent);
  await expect(openDataFolder(parent)).rejects.toThrow(`${parent} holds data of an earlier build`);
  expect(readdirSync(parent)).toEqual(['session-secret']);
  expect(statSync(parent)).toMatchObject({ mode: before.mode, mtimeMs: before.mtimeMs });
});
