/** Stryker's settings. Version 9, because version 10 needs Node 22. ../mutation.mjs sets the environment's values. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jest from '../../jest.config.mjs';

const { MUTATE, SPECS, REPORT } = process.env;
const [pure] = jest.projects;

export default {
  mutate: MUTATE.split(' '),
  ignorePatterns: ['/.cache', '/.data', '/dist', '/docs/images', '/e2e/artefacts'],
  tempDirName: join(tmpdir(), 'omni-mutation'),
  allowConsoleColors: false,
  testRunner: 'jest',
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // The simulator alone takes longer than Stryker's usual seconds on a busy machine; a timeout would count as noticed.
  timeoutMS: 60_000,
  // Jest runs all tests of a mutant in any case, so the report names each test that kills it.
  disableBail: true,
  maxTestRunnerReuse: 200,
  jest: {
    projectType: 'custom',
    // Otherwise jest would look at the imports of the whole repository for each mutant.
    enableFindRelatedTests: false,
    config: {
      ...pure,
      displayName: undefined,
      // Stryker itself resolves this path, from the folder in which it runs.
      testEnvironment: './scripts/jest/environment.mjs',
      setupFiles: ['<rootDir>/scripts/mutation/stop-at-first.cjs'],
      testRegex: SPECS.split(' ').map((path) => `${path}.*\\.spec\\.ts$`),
    },
  },
  thresholds: { high: 95, low: 85, break: 85 },
  reporters: ['json', 'clear-text', 'progress-append-only'],
  clearTextReporter: { logTests: false, reportTests: false, allowEmojis: false },
  jsonReporter: { fileName: REPORT },
};
