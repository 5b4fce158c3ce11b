/**
 * Plants each fault of api/test/simulator/planted in a copy of the project and runs the simulation until a checker finds it:
 * `node scripts/planted.mjs [PART OF A NAME …]`. Prints a table; fails when a fault is not found.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './processes.mjs';

const SEEDS = 2_000;
const PATCHES = 'api/test/simulator/planted';

/** The files that git tracks, or would track, with the packages of this folder. */
function copyOfProject() {
  const copy = mkdtempSync(join(tmpdir(), 'planted-'));
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).split('\0');
  for (const file of listed.filter(Boolean)) {
    try {
      cpSync(join(root, file), join(copy, file), { recursive: true });
    } catch (error) {
      // A tracked file that was just deleted.
      if (error.code !== 'ENOENT') throw error;
    }
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** @returns {{ checker: string, seed: string }} of the first failure; empty texts when every seed passes */
function firstFailure(copy) {
  const args = [join(root, 'node_modules/jest/bin/jest.js'), '--selectProjects=pure', '--runTestsByPath'];
  const spec = 'api/test/simulator/simulation.spec.ts';
  const env = { ...process.env, CAMPAIGNS: String(SEEDS), PLANTED: '1' };
  const { stdout, stderr } = spawnSync(process.execPath, [...args, spec, '-t', 'keeps'], {
    cwd: copy,
    env,
    encoding: 'utf8',
  });
  const [, seed = '', checker = ''] = /seed (\d+), ([a-z ]+)/.exec(stdout + stderr) ?? [];
  return { checker, seed };
}

const wished = process.argv.slice(2);
const names = readdirSync(join(root, PATCHES)).flatMap((file) =>
  file.endsWith('.patch') ? [file.replace('.patch', '')] : [],
);
const rows = [];
const copy = copyOfProject();
for (const name of names.filter((one) => wished.length === 0 || wished.some((part) => one.includes(part)))) {
  const patch = join(root, PATCHES, `${name}.patch`);
  const apply = (...flags) => execFileSync('patch', ['-p1', '-s', ...flags, '-i', patch], { cwd: copy });
  apply();
  const { checker, seed } = firstFailure(copy);
  apply('-R');
  rows.push({ name, checker, seed });
  console.log(
    `| ${name.replaceAll('-', ' ')} | ${checker || 'not found'} | ${seed === '' ? `none of ${SEEDS}` : Number(seed) + 1} |`,
  );
}
rmSync(copy, { recursive: true });
if (rows.some(({ checker }) => checker === '')) process.exitCode = 1;
