import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTests } from '../../contracts/testing/folder.js';
import { openDataFolder } from './data-folder.js';

const parent = folderForTests('each');

it('opens a folder that it made again, with the same secrets', async () => {
  const folder = join(parent(), 'data');
  const { lock, sessionSecret } = await openDataFolder(folder);
  await lock.release();
  const again = await openDataFolder(folder);
  expect(again.sessionSecret).toBe(sessionSecret);
  await again.lock.release();
});

it('refuses a folder of an earlier build by its name, and leaves it as it is', async () => {
  const folder = parent();
  writeFileSync(join(folder, 'session-secret'), 'a former secret');
  const before = statSync(folder);
  await expect(openDataFolder(folder)).rejects.toThrow(`${folder} holds data of an earlier build`);
  expect(readdirSync(folder)).toEqual(['session-secret']);
  expect(statSync(folder)).toMatchObject({ mode: before.mode, mtimeMs: before.mtimeMs });
});
