/* The commands of docs/operations.md about Postgres and the secrets, run as written on Debian's Postgres with its own tools. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Person, WholeApplication } from '../api/test/whole-application.js';
import { IDEMPOTENCY_KEY } from '../contracts/http/headers.js';
import { startTestEventStore, type TestEventStore } from '../embedded/event-store/testing/test-event-store.js';
import { DebianPostgres, postgresPrograms } from './testing/debian-postgres.js';
import { composeFile, textOf } from './testing/deployment-files.js';
import { describeWith } from './testing/describe-with.js';
import { runToEnd } from './testing/service.js';

// Several starts of Postgres and the application, on a machine that may be busy.
jest.setTimeout(240_000);

const page = textOf('docs/operations.md');

function commandOfPage(begins: RegExp): string {
  const [command] = page.match(begins) ?? [];
  if (command === undefined) throw new Error(`docs/operations.md has no command ${begins}`);
  return command;
}

const PERSON = { username: 'kept', password: 'open sesame' };
const FORMER = 'a secret that only tests know';

/** Starts take seconds: each test goes on with the application and the Postgres of the one before. */
describeWith(join(postgresPrograms, 'initdb'), 'postgresql')('Postgres on servers', () => {
  let eventStore: TestEventStore;
  let primary: DebianPostgres;
  let running: WholeApplication | undefined;
  const servers: DebianPostgres[] = [];

  const keep = (server: DebianPostgres): DebianPostgres => {
    servers.push(server);
    return server;
  };
  const start = async (postgres: DebianPostgres, env: NodeJS.ProcessEnv = {}): Promise<WholeApplication> => {
    await running?.close();
    await runToEnd(['node', 'dist/api/src/migrate.js'], { DATABASE_URL: postgres.ownerUrl });
    const stores = { databaseUrl: postgres.url, eventStoreUrl: eventStore.connectionString, close: async () => {} };
    running = await WholeApplication.start(env, { stores: () => stores });
    return running;
  };
  const statusOf = async (application: WholeApplication, account: object): Promise<number> =>
    (await application.visitor().post('/api/login', account)).status;
  const verify = (postgres: DebianPostgres): Promise<string> =>
    runToEnd(['node', 'dist/audit/main.js', 'verify'], {
      DATABASE_URL: postgres.url,
      EVENT_STORE_URL: eventStore.connectionString,
    });

  let person: Person;
  const buy = async (application: WholeApplication): Promise<number> => {
    const visitor = application.visitor();
    await visitor.post('/api/login', PERSON);
    // The page, too, sends a command again after a 503, under the same key.
    const key = { [IDEMPOTENCY_KEY]: randomUUID() };
    for (let tries = 1; ; tries += 1) {
      const { status } = await visitor.post('/api/buy-from-balance', { quantity: 1, userId: person.id }, key);
      if (status !== 503 || tries === 100) return status;
      await sleep(100);
    }
  };

  beforeAll(async () => {
    eventStore = await startTestEventStore();
    primary = keep(await DebianPostgres.start());
    const application = await start(primary);
    const admin = await application.admin();
    person = await application.register(PERSON.username);
    await application.give(person, 9_000);
    await admin.visitor.post('/api/admin/game/start-live');
    expect(await buy(application)).toBe(200);
  });
  afterAll(async () => {
    await running?.close();
    for (const server of servers) await server.close();
    await eventStore?.close();
  });

  it('a replica copies the primary by the command of deploy/cluster, is promoted, and takes over', async () => {
    const [, , script = ''] =
      composeFile('deploy/cluster/docker-compose.yml').services['postgres-replica']?.command ?? [];
    const copy = (/pg_basebackup[^\n]*/.exec(script)?.[0] ?? '')
      .replace('--host=postgres', `--host=127.0.0.1 --port=${primary.port}`)
      .replaceAll('$$', '$');
    expect(copy).toContain('--write-recovery-conf');
    const replica = keep(await DebianPostgres.start(primary.password, copy));
    expect(await buy(running!)).toBe(200);
    await running!.close();
    await primary.end();

    await replica.run(commandOfPage(/psql --username=omni --command='SELECT pg_promote\(\)'/));
    const promoted = await start(replica);
    expect(await statusOf(promoted, PERSON)).toBe(200);
    expect(await buy(promoted)).toBe(200);
    expect(await verify(replica)).toContain('compared as of event');
    primary = replica;
  });

  it('the role of the api and the worker is not a superuser, owns no table of auth and ledger, and cannot change one', async () => {
    const client = new Client({ connectionString: primary.url });
    await client.connect();
    try {
      const rights = 'SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls FROM pg_roles';
      const { rows } = await client.query(`${rights} WHERE rolname = current_user`);
      expect(Object.values(rows[0])).toEqual([false, false, false, false, false]);
      const owners = await client.query(
        "SELECT DISTINCT schemaname, tableowner FROM pg_tables WHERE schemaname !~ '^(pg_|information)' ORDER BY 1",
      );
      expect(owners.rows.map(({ schemaname, tableowner }) => `${schemaname} ${tableowner}`)).toEqual([
        'auth omni_owner',
        'ledger omni_owner',
        'read omni_app',
        'versions omni_app',
      ]);
      for (const statement of [
        'DROP TRIGGER notify_truncate ON auth.accounts',
        'ALTER TABLE auth.accounts DISABLE TRIGGER ALL',
        'TRUNCATE auth.accounts',
        'DROP SCHEMA ledger CASCADE',
        'CREATE ROLE another SUPERUSER',
        "COPY auth.accounts TO PROGRAM 'cat'",
        "SELECT pg_read_file('postgresql.conf')",
        'SET ROLE omni_owner',
      ])
        await expect(client.query(statement)).rejects.toThrow(/permission denied|must be (owner|superuser)/);
    } finally {
      await client.end();
    }
  });

  it.each(['dist/projections/src/rebuild.js', 'dist/projections/src/compare.js'])(
    '%s works under that role',
    async (script) => {
      const env = { DATABASE_URL: primary.url, EVENT_STORE_URL: eventStore.connectionString };
      expect(await runToEnd(['node', script, 'all'], env)).not.toBe('');
    },
  );

  it('POSTGRES_APP_PASSWORD: open connections stay, new ones need the new password', async () => {
    const application = running!;
    const open = new Client({ connectionString: primary.url });
    await open.connect();
    const before = primary.url;
    const statement = commandOfPage(/ALTER ROLE omni_app PASSWORD '…'/).replace('…', 'another-password');
    await primary.run(`psql --username=omni --command="${statement}"`);
    primary.appPassword = 'another-password';
    await open.query('SELECT 1');
    await open.end();
    await expect(new Client({ connectionString: before }).connect()).rejects.toThrow('password authentication failed');
    expect(await buy(application)).toBe(200);
  });

  it('SESSION_SECRET: everybody is logged out, and logs in again; both signing keys count meanwhile', async () => {
    const application = running!;
    const visitor = application.visitor();
    await visitor.post('/api/login', PERSON);
    const keysOf = async ({ api }: WholeApplication) =>
      ((await (await fetch(`${api.url}/api/ledger/key`)).json()) as { keys: string[] }).keys;
    const [formerKey] = await keysOf(application);
    const changed = await start(primary, {
      SESSION_SECRET: 'another secret of the tests',
      LEDGER_SIGNING_SECRET: 'a secret for signing only',
      LEDGER_SIGNING_SECRET_BEFORE: FORMER,
    });
    expect((await visitor.at(changed.api.url).get(`/api/gamer/${person.id}`)).status).toBe(401);
    expect(await buy(changed)).toBe(200);
    const keys = await keysOf(changed);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(formerKey);
  });

  it('a dump of what cannot be rebuilt restores into an empty database; the worker builds the tables, and the auditor agrees', async () => {
    await primary.run(commandOfPage(/pg_dump --username=omni .* > postgres\.dump$/m));
    const restored = keep(await DebianPostgres.start());
    const dump = `${primary.folder}/postgres.dump`;
    const restore = commandOfPage(/pg_restore --username=omni --dbname=omni postgres\.dump/);
    await restored.run(restore.replace('postgres.dump', dump));
    const application = await start(restored);
    expect(await statusOf(application, PERSON)).toBe(200);
    expect(await buy(application)).toBe(200);
    expect(await verify(restored)).toContain('compared as of event');
  });
});
