import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTests } from '../../contracts/testing/folder.js';
import { FolderInUse, lockFolder } from './folder-lock.js';

describe('the lock of a folder', () => {
  const folder = folderForTests('each');

  async function race() {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder())));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(FolderInUse);
    }
    return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  }

  it.each<[string, string | undefined]>([
    ['no lock', undefined],
    ['the lock of a dead process', '{"pid":999999999,"startedAt":"long ago"}'],
    ['a lock that a crash cut short', ''],
  ])('goes to exactly one of many concurrent callers when the folder has %s', async (_, left) => {
    for (let round = 0; round < 10; round++) {
      if (left !== undefined) writeFileSync(join(folder(), 'lock'), left);
      const taken = await race();
      expect(taken).toHaveLength(1);
      expect(readdirSync(folder())).toEqual(['lock']);
      await taken[0]!.release();
    }
  });
});
