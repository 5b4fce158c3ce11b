import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const needs = 'import zoneinfo; zoneinfo.ZoneInfo("America/New_York")';
/** Whether the verifiers in Python can run here. */
export const hasPython = spawnSync('python3', ['-c', needs]).status === 0;
if (!hasPython)
  console.warn('python3 with time zones is not installed: audit/independent was NOT compared with the auditor');

/** Runs a verifier on files with these contents. Returns its lines, one for each file. */
export function runPython<T>(
  program: string,
  contents: readonly string[],
  options: (folder: string) => string[] = () => [],
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'export-'));
  const files = contents.map((_, index) => path.join(folder, String(index)));
  for (const [index, file] of files.entries()) writeFileSync(file, contents[index] ?? '');
  const args = ['-B', path.join(__dirname, '../independent', program), ...options(folder), ...files];
  const { stdout, stderr, status } = spawnSync('python3', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  rmSync(folder, { recursive: true });
  if (stderr !== '') throw new Error(stderr);
  const lines = stdout.trimEnd().split('\n');
  return { verdicts: lines.map((line) => JSON.parse(line) as T), exitCode: status };
}
