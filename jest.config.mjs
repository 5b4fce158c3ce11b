/**
 * Jest runs the sources as CommonJS, compiled by SWC; production runs ESM. The smoke test covers the built output.
 * All test files of a worker share the packages of node_modules: see scripts/jest/environment.mjs.
 */
const transform = {
  '\\.tsx?$': [
    '@swc/jest',
    {
      sourceMaps: true,
      module: { type: 'commonjs' },
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true, tsx: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      },
    },
  ],
};

const shared = {
  transform,
  // Kept between runs; a run's temporary folder is not.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1', '\\.css$': '<rootDir>/scripts/jest/no-styles.cjs' },
  testEnvironment: '<rootDir>/scripts/jest/environment.mjs',
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.data/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
};

/** Files that `npm test` leaves to campaigns: deployments, outages and losses that take long, and that few changes can break. */
export const ONLY_IN_CAMPAIGNS = [
  'api/test/adversarial/cosigned-heads',
  'api/test/adversarial/lost-history',
  'api/test/adversarial/outages',
  'api/test/erasure',
  'deploy/operations',
  'deploy/postgres',
  'deploy/upgrade',
  'e2e/two-histories',
  'embedded/launcher/launcher',
  'embedded/launcher/secrets',
  'embedded/postgres/postgres-server',
  'event-log/connection',
].map((name) => `${name}.int.spec.ts`);

export default {
  // Generous, because a busy machine is slow: this limit only ends tests and hooks that hang. Jest ignores a limit in a project.
  testTimeout: 180_000,
  projects: [
    { ...shared, displayName: 'pure', testRegex: '(?<!\\.int)\\.spec\\.tsx?$' },
    {
      ...shared,
      displayName: 'int',
      testRegex: '\\.int\\.spec\\.ts$',
      testPathIgnorePatterns: [...shared.testPathIgnorePatterns, ...(process.env.CAMPAIGNS ? [] : ONLY_IN_CAMPAIGNS)],
      globalSetup: '<rootDir>/embedded/postgres/jest-global-setup.mjs',
      globalTeardown: '<rootDir>/embedded/postgres/jest-global-teardown.mjs',
    },
  ],
};
