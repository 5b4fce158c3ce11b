import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import startPostgres from '../embedded/postgres/jest-global-setup.mjs';
import stopPostgres from '../embedded/postgres/jest-global-teardown.mjs';
import { root, run, runTool } from './processes.mjs';

/** The folders that are mutated in each part, and the beginnings of the paths of the specs that must notice. */
const PARTS = {
  domain: { folders: ['domain'], specs: ['domain/'] },
  audit: {
    folders: ['audit/rules', 'audit/replay'],
    specs: ['audit/(rules|proof|tables|cli|independent)/(?!.*\\.int\\.)', 'domain/ledger/generated'],
  },
  'event-log': { folders: ['event-log'], specs: ['event-log/'] },
  ledger: { folders: ['api/src/ledger'], specs: ['api/src/ledger/', 'api/test/simulator/'] },
};
const NOT_MUTATED = /(\.spec|\.d)\.ts$|(^|\/)(testing|independent)\//;

/**
 * Mutation tests: Stryker changes the code in one place at a time, and lists the changes that no spec notices. A part
 * fails below the score in scripts/mutation/stryker.config.mjs. Its report is .cache/mutation/PART.json.
 *
 * @param {string[]} args parts, or files of parts, or nothing for all parts; and `--sample=N` for one line of each N
 * @returns {Promise<import('./tests.mjs').Result>}
 */
export async function runMutations(args) {
  const names = args.filter((arg) => !arg.startsWith('--'));
  const sample = Number(args.find((arg) => arg.startsWith('--sample='))?.slice('--sample='.length) ?? 1);
  const chosen = names.length > 0 ? names : Object.keys(PARTS);
  const parts = chosen.map((name) => sampledPart(name, sample));
  let passed = 0;
  await installStryker();
  await startPostgres();
  for (const { name, mutate, specs } of parts) {
    const { ok } = await runTool(
      '@stryker-mutator/core/bin/stryker.js',
      ['run', 'scripts/mutation/stryker.config.mjs'],
      {
        // Few generated cases, because each mutant runs them.
        env: {
          CAMPAIGNS: '20',
          MUTATE: mutate.join(' '),
          SPECS: specs.join(' '),
          REPORT: `.cache/mutation/${name.replaceAll('/', '-')}.json`,
        },
      },
    );
    if (ok) passed += 1;
  }
  await stopPostgres();
  return { passed, failed: chosen.length - passed, skipped: 0 };
}

function sampledPart(name, sample) {
  const { mutate, specs } = partOf(name);
  const chosen = sample > 1 ? mutate.flatMap((file) => sampled(file, sample)) : mutate;
  // Stryker passes when it has no line to change.
  if (chosen.length === 0) throw new Error(`--sample=${sample} leaves no line of ${name}`);
  return { name, mutate: chosen, specs };
}

/** Only these tests need it, and each installation would take a tenth longer with its 80 packages. */
async function installStryker() {
  if (existsSync(join(root, 'node_modules/@stryker-mutator/jest-runner'))) return;
  const packages = ['core', 'jest-runner'].map((name) => `@stryker-mutator/${name}@9.6.1`);
  const { ok } = await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...packages]);
  if (!ok) throw new Error('Stryker could not be installed; see above');
}

function partOf(name) {
  const whole = PARTS[name];
  if (whole !== undefined) return { mutate: whole.folders.flatMap(filesOf), specs: whole.specs };
  const part = Object.values(PARTS).find(({ folders }) => folders.some((folder) => name.startsWith(`${folder}/`)));
  if (part === undefined) throw new Error(`${name} is none of ${Object.keys(PARTS).join(', ')}, nor a file of them`);
  return { mutate: [name], specs: part.specs };
}

const filesOf = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith('.ts') && !NOT_MUTATED.test(file))
    .sort();

/** Every Nth line of code as a range of its own: changes that span lines, such as an emptied function, are not among them. */
function sampled(file, every) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const ofCode = [...lines.keys()].filter(
    (index) => /\w/.test(lines[index]) && !/^\s*(\/?\*|\/\/|import )/.test(lines[index]),
  );
  return ofCode.filter((_, index) => index % every === every >> 1).map((index) => `${file}:${index + 1}-${index + 1}`);
}
