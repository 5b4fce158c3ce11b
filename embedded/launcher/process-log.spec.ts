import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProcessLog } from './process-log.js';

describe('the log of a process', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'omni log '));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const unexpected = (error: Error) => {
    throw error;
  };

  it('appends to the existing file, and keeps one rotated file', async () => {
    const path = join(folder, 'process.log');
    writeFileSync(path, 'earlier\n');
    const log = new ProcessLog(path, unexpected, 100);
    log.write('first');
    while (!readFileSync(path, 'utf8').includes('first')) await sleep(5);
    log.write('x'.repeat(200));
    log.write('last');
    log.end();
    while (!existsSync(path) || !readFileSync(path, 'utf8').includes('last')) await sleep(5);
    expect(readFileSync(path, 'utf8')).toBe('last\n');
    expect(readFileSync(`${path}.1`, 'utf8')).toContain('first');
  });

  const withFullDisk = existsSync('/dev/full') ? it : it.skip;
  withFullDisk('loses lines on a full disk, and reports it once', async () => {
    const failures: string[] = [];
    const log = new ProcessLog('/dev/full', ({ message }) => failures.push(message));
    log.write('a line');
    while (failures.length === 0) await sleep(5);
    log.write('another');
    await sleep(50);
    log.end();
    expect(failures).toEqual([expect.stringContaining('ENOSPC')]);
  });
});
