import { runTool } from './processes.mjs';

/** The folders that are mutated in each part, and the beginnings of the paths of the pure specs that must notice. */
const PARTS = {
  domain: { folders: ['domain'], specs: ['domain/'] },
  audit: { folders: ['audit/rules', 'audit/replay'], specs: ['audit/', 'domain/ledger/generated'] },
  'event-log': { folders: ['event-log'], specs: ['event-log/'] },
  ledger: { folders: ['api/src/ledger'], specs: ['api/src/ledger/', 'api/test/simulator/'] },
};

/**
 * Mutation tests: Stryker changes the code in one place at a time, and lists the changes that no pure spec notices. A part
 * fails below the score in scripts/mutation/stryker.config.mjs. Its report is .cache/mutation/PART.json.
 *
 * @param {string[]} names parts, or files of parts; without one, all parts
 * @returns {Promise<import('./tests.mjs').Result>}
 */
export async function runMutations(names) {
  const chosen = names.length > 0 ? names : Object.keys(PARTS);
  let passed = 0;
  for (const name of chosen) {
    const { mutate, specs } = partOf(name);
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
  return { passed, failed: chosen.length - passed, skipped: 0 };
}

function partOf(name) {
  const whole = PARTS[name];
  if (whole !== undefined) return { mutate: whole.folders.map((folder) => `${folder}/**/*.ts`), specs: whole.specs };
  const part = Object.values(PARTS).find(({ folders }) => folders.some((folder) => name.startsWith(`${folder}/`)));
  if (part === undefined) throw new Error(`${name} is none of ${Object.keys(PARTS).join(', ')}, nor a file of them`);
  return { mutate: [name], specs: part.specs };
}
