/** Jest runs the sources as CommonJS through SWC; production runs ESM. The smoke test covers the built output. */
const transform = {
  '^.+\\.[cm]?[jt]sx?$': [
    '@swc/jest',
    {
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
  transformIgnorePatterns: ['/node_modules/(?!(@nestjs|canonicalize|nodemailer|smtp-server|uuid|@sparticuz|@scure)/)'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironment: 'node',
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.data/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
};

export default {
  // No limit of ours is a proof of speed: it ends what hangs, on a machine that is busy with other things too.
  testTimeout: 60_000,
  projects: [
    { ...shared, displayName: 'pure', testRegex: '(?<!\\.int)\\.spec\\.tsx?$' },
    {
      ...shared,
      displayName: 'int',
      testRegex: '\\.int\\.spec\\.ts$',
      globalSetup: '<rootDir>/embedded/postgres/jest-global-setup.mjs',
      globalTeardown: '<rootDir>/embedded/postgres/jest-global-teardown.mjs',
    },
  ],
};
