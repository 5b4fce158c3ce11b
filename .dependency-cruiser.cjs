/**
 * Who may import whom. Each room and what it may import stands in README.md; this makes it hold.
 * Specs, and what only specs use (testing/), may import what they need to set their scene: `*.int.spec.ts` the stand-ins in embedded/, say.
 */
const SPEC = '\\.spec\\.tsx?$|/testing/';
const ROOMS = ['contracts', 'domain', 'event-log', 'api', 'projections', 'web', 'audit', 'embedded', 'bench', 'e2e'];

/** @param {string} room @param {string[]} allowed @param {string} comment */
function mayImportOnly(room, allowed, comment) {
  const forbidden = ROOMS.filter((other) => other !== room && !allowed.includes(other));
  return {
    name: `${room}-imports`,
    comment,
    severity: 'error',
    from: { path: `^${room}/`, pathNot: SPEC },
    to: { path: `^(${forbidden.join('|')})/` },
  };
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    mayImportOnly('contracts', [], 'contracts are what rooms promise one another; they know none of them'),
    mayImportOnly('domain', ['contracts'], 'the rules are pure'),
    mayImportOnly('event-log', ['contracts'], 'the door to the event log knows no rules'),
    mayImportOnly('api', ['contracts', 'domain', 'event-log', 'projections'], 'of projections see api-reads-tables'),
    mayImportOnly('projections', ['contracts', 'domain', 'event-log'], 'tables are made from the log alone'),
    mayImportOnly('web', ['contracts'], 'the client knows what is promised over the wire, and no more'),
    mayImportOnly('audit', ['contracts', 'domain', 'event-log'], 'an auditor trusts no table'),
    mayImportOnly('embedded', ['contracts'], 'a stand-in knows the protocol that it stands in for, not us'),
    {
      name: 'api-reads-tables',
      comment: 'of the projections, the api knows the tables only',
      severity: 'error',
      from: { path: '^api/', pathNot: SPEC },
      to: { path: '^projections/', pathNot: '\\.entity\\.ts$' },
    },
    {
      name: 'web-never-sees-events',
      comment: 'events are the history of the server; the client gets what they came to',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^contracts/events' },
    },
    {
      name: 'web-leaves-checksums-to-the-server',
      comment: 'checking a wallet address needs node:crypto; the client checks its shape (contracts/crypto.ts)',
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
      comment: 'canonical JSON and the encodings of wallet addresses are all that is not ours',
      severity: 'error',
      from: { path: '^(domain|contracts)/', pathNot: SPEC },
      to: { path: 'node_modules', pathNot: 'node_modules/(canonicalize|@scure/base)/' },
    },
    {
      name: 'one-door-to-the-event-log',
      comment: 'append, read and follow go through event-log/event-log.ts, where their pitfalls are dealt with',
      severity: 'error',
      from: {
        path: '.',
        pathNot: `^(event-log/(event-log|event-store-client|client-encoding|client-decoding|append-answer-decoding)\\.ts|embedded/event-store/|bench/)|${SPEC}`,
      },
      to: { path: 'node_modules/@eventstore/' },
    },
    {
      name: 'tables-behind-queries',
      comment:
        'in the api only queries, stores, migrations, attempt counts, the health check and what connects them touch tables',
      severity: 'error',
      from: {
        path: '^api/src/',
        pathNot: [
          '\\.(queries|store|entity|module)\\.ts$',
          '-store\\.ts$',
          '/migrations/',
          '^api/src/(main|migrations|accounts/attempt-limits|accounts/first-start|health/readiness)\\.ts$',
          SPEC,
        ],
      },
      to: { path: 'node_modules/(typeorm|pg|@nestjs/typeorm|connect-pg-simple)/' },
    },
    {
      name: 'nothing-for-developers-in-production',
      comment: 'what runs in production is among the dependencies, not the devDependencies',
      severity: 'error',
      from: {
        path: '^(contracts|domain|event-log|api|projections|audit|embedded)/',
        pathNot: `${SPEC}|jest-[^/]+\\.mjs$`,
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'no-cycles',
      comment: 'two files that need one another are one file, or three',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'a file that nobody imports and that imports nobody is left over',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: `(^|/)main\\.tsx?$|\\.config\\.[cm]?[jt]s$|\\.d\\.ts$|\\.golden\\.json$|exit-with-parent\\.ts$|${SPEC}`,
      },
      to: {},
    },
    {
      name: 'resolvable',
      comment: 'an import that leads nowhere, or to a package that package.json does not name',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'named-in-package-json',
      comment: 'a package that is there only because another one needs it can vanish',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^(dist|\\.data)/', '^e2e/artefacts/', '\\.css$'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
