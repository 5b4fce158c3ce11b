const { readdirSync } = require('node:fs');
const { join } = require('node:path');

/**
 * The packages' import rules, as README.md lists them. Specs, testing/ folders and api/test may import any package: `*.int.spec.ts`
 * start the stand-ins of embedded/, for example.
 */
const SPEC = '\\.spec\\.tsx?$|/testing/|^api/test/';
/** The packages of `npm start` alone, which the image lacks. */
const LOCAL = `^node_modules/(${Object.keys(require('./local/package.json').dependencies).join('|')})/`;
const PACKAGES = ['contracts', 'domain', 'event-log', 'api', 'projections', 'web', 'audit', 'embedded', 'bench', 'e2e'];

/** @param {string} name @param {string[]} allowed @param {string} comment */
function mayImportOnly(name, allowed, comment) {
  const forbidden = PACKAGES.filter((other) => other !== name && !allowed.includes(other));
  return {
    name: `${name}-imports`,
    comment,
    severity: 'error',
    from: { path: `^${name}/`, pathNot: SPEC },
    to: { path: `^(${forbidden.join('|')})/` },
  };
}

/** The floors of api/src from top to bottom. Imports go down only; the entry points (files directly in api/src) are the top. */
const API_FLOORS = ['live', 'features', 'ledger', 'http', 'platform'];

const apiFloorRules = API_FLOORS.map((floor, index) => ({
  name: `api-${floor}-imports`,
  comment: `api/src/${floor} may import ${API_FLOORS.slice(index + 1).join(', ') || 'no other folder of the api'}`,
  severity: 'error',
  from: { path: `^api/src/${floor}/`, pathNot: SPEC },
  to: { path: '^api/src/', pathNot: `^api/src/(${API_FLOORS.slice(index).join('|')})/` },
}));

/** What a feature of the api may import of other features. */
const FEATURE_IMPORTS = {
  audit: ['gamers', 'statements'],
  community: ['gamers'],
  game: ['gamers'],
  gamers: ['matrix', 'payments', 'staff', 'statements'],
  health: ['audit', 'receipts'],
  'history-loss': ['audit', 'payments', 'withdrawals'],
  matrix: ['gamers'],
  payments: ['gamers'],
  protection: ['gamers', 'statements'],
  'public-record': [],
  purchases: ['game', 'gamers', 'receipts'],
  receipts: ['audit'],
  reminders: [],
  rounds: ['audit', 'gamers', 'statements'],
  staff: ['gamers'],
  statements: ['audit', 'gamers'],
  support: ['audit', 'gamers', 'payments', 'purchases', 'statements'],
  winnings: [],
  withdrawals: ['gamers', 'payments'],
};

const unlisted = readdirSync(join(__dirname, 'api/src/features')).filter((feature) => !(feature in FEATURE_IMPORTS));
if (unlisted.length > 0) throw new Error(`FEATURE_IMPORTS lacks the feature ${unlisted.join(', ')}`);

const featureRules = Object.entries(FEATURE_IMPORTS).map(([feature, allowed]) => ({
  name: `feature-${feature}-imports`,
  comment: `api/src/features/${feature} may import ${allowed.join(', ') || 'no other feature'}`,
  severity: 'error',
  from: { path: `^api/src/features/${feature}/`, pathNot: SPEC },
  to: { path: '^api/src/features/', pathNot: `^api/src/features/(${[feature, ...allowed].join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    mayImportOnly('contracts', [], 'contracts are the shapes that packages share; they import no other package'),
    mayImportOnly('domain', ['contracts'], 'the rules are pure functions of contracts'),
    mayImportOnly('event-log', ['contracts'], 'the client of the event log knows no rules of the game'),
    mayImportOnly('api', ['contracts', 'domain', 'event-log', 'projections'], 'for projections see api-reads-tables'),
    mayImportOnly('projections', ['contracts', 'domain', 'event-log'], 'tables are built from the event log alone'),
    mayImportOnly('web', ['contracts'], 'the client knows the HTTP and socket contracts only'),
    mayImportOnly('audit', ['contracts', 'event-log'], 'the auditor writes postings, chain and rules a second time'),
    mayImportOnly(
      'embedded',
      ['contracts'],
      'a stand-in knows the protocol of the server it replaces, not this application',
    ),
    ...apiFloorRules,
    ...featureRules,
    {
      name: 'api-reads-tables',
      comment: 'the api imports only the table entities of projections',
      severity: 'error',
      from: { path: '^api/', pathNot: SPEC },
      to: { path: '^projections/', pathNot: '\\.entity\\.ts$' },
    },
    {
      name: 'web-never-sees-events',
      comment: 'events are internal history; the client gets the resulting state',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^contracts/events' },
    },
    {
      name: 'web-leaves-checksums-to-the-server',
      comment: 'checking a wallet address needs node:crypto; the client only checks its shape (contracts/crypto.ts)',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^contracts/wallet-address' },
    },
    {
      name: 'domain-does-no-io',
      comment: 'time, ids and randomness arrive as arguments; hashing is pure',
      severity: 'error',
      from: { path: '^(domain|contracts)/', pathNot: SPEC },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'domain-needs-no-framework',
      comment: 'only the encodings of wallet addresses come from a library',
      severity: 'error',
      from: { path: '^(domain|contracts)/', pathNot: SPEC },
      to: { path: 'node_modules', pathNot: 'node_modules/@scure/base/' },
    },
    {
      name: 'one-client-of-the-event-log',
      comment: 'append, read and follow go through event-log/event-log.ts, which handles their pitfalls',
      severity: 'error',
      from: {
        path: '.',
        pathNot: `^(event-log/[^/]+\\.ts|embedded/event-store/|bench/)|${SPEC}`,
      },
      to: { path: 'node_modules/@eventstore/' },
    },
    {
      name: 'tables-behind-queries',
      comment:
        'in the api only queries, stores, migrations, attempt counts, the health check and their modules read or write tables',
      severity: 'error',
      from: {
        path: '^api/src/',
        pathNot: [
          '\\.(queries|store|entity|module)\\.ts$',
          '^api/src/(platform/migrations|features/gamers/attempt-limits|features/health/readiness)\\.ts$',
          SPEC,
        ],
      },
      to: { path: 'node_modules/(typeorm|pg|@nestjs/typeorm)/' },
    },
    {
      name: 'nothing-for-developers-in-production',
      comment: 'the image has dependencies only; what tests need are devDependencies',
      severity: 'error',
      from: {
        path: '^(contracts|domain|event-log|api|projections|audit)/',
        pathNot: `${SPEC}|jest-[^/]+\\.mjs$`,
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'nothing-of-local-in-production',
      comment: 'the image lacks what local/package.json lists',
      severity: 'error',
      from: { path: '^(contracts|domain|event-log|api|projections|audit)/', pathNot: `${SPEC}|jest-[^/]+\\.mjs$` },
      to: { path: LOCAL, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycles',
      comment: 'merge two files that import each other, even if only for types, or move the shared part to a third',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'an unused file: no file imports it, and it imports none',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: `(^|/)main\\.tsx?$|\\.config\\.[cm]?[jt]s$|\\.d\\.ts$|\\.golden\\.json$|exit-with-parent\\.ts$|pages/live\\.js$|web/public/sw\\.js$|${SPEC}`,
      },
      to: {},
    },
    ...['api', 'web'].map((name) => ({
      name: `${name}-uses-its-files`,
      comment: 'an unused file: main does not import it, nor does any file that main imports',
      severity: 'error',
      from: { path: `^${name}/src/main\\.tsx?$` },
      to: {
        path: `^${name}/src/`,
        pathNot: `(first-paint|migrate|recover-staff|accept-loss|staff/staff-recovery\\.store)\\.tsx?$|\\.d\\.ts$|${SPEC}`,
        reachable: false,
      },
    })),
    {
      name: 'resolvable',
      comment: 'an import must resolve',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'named-in-package-json',
      comment: 'imported packages must be listed in package.json, or an update of another package can remove them',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: LOCAL },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^(dist|\\.data)/', '^e2e/artefacts/', '\\.css$'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    // Only its field `resolve` is read: it names the .ts file first that an import's .js stands for.
    webpackConfig: { fileName: 'scripts/import-resolution.cjs' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
