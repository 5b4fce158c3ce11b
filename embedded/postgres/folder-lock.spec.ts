import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderInUse, lockFolder } from './folder-lock.js';

describe('the lock of a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'omni lock '));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function race() {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)));
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
      if (left !== undefined) writeFileSync(join(folder, 'lock'), left);
      const taken = await race();
      expect(taken).toHaveLength(1);
      expect(readdirSync(folder)).toEqual(['lock']);
      await taken[0]!.release();
    }
  });
});
