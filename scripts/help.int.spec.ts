import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
// The auditor's command line has a help of its own (audit/cli/command-line.spec.ts).
const names = Object.keys(scripts).filter((name) => name !== 'audit');
const run = (...args: string[]) => spawnSync(process.execPath, ['scripts/run.mjs', ...args], { encoding: 'utf8' });

it.each(names)('npm run %s knows --help, and refuses an option that it does not know', (name) => {
  const help = run(name, '--help');
  expect([help.status, help.stdout]).toEqual([0, expect.stringMatching(`^npm run ${name}( -- .*)?: `)]);
  const refused = run(name, '--nonsense');
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('does not know --nonsense')]);
});
