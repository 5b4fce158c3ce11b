/* The commands of docs/operations.md about Postgres and the secrets, run as written on Debian's Postgres with its own tools. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { ok } from '../api/test/visitor.js';
import { type Person, WholeApplication } from '../api/test/whole-application.js';
import { startTestEventStore, type TestEventStore } from '../embedded/event-store/testing/test-event-store.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { composeFile, textOf } from './testing/deployment-files.js';
import { describeWith } from './testing/describe-with.js';
import { runToEnd } from './testing/service.js';

// Several starts of Postgres and the application, on a machine that may be busy.
jest.setTimeout(240_000);

const INSTALLED = '/usr/lib/postgresql';
/** Postgres refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a)) : [];

/** The folder with the programs and tools of Debian's newest Postgres; it may not exist. */
const postgresPrograms = join(INSTALLED, versions[0] ?? '', 'bin');

/** A Postgres server as the compose files run it: the superuser and the database `omni`, and the roles of create-roles.sh. */
class DebianPostgres {
  private server: ChildProcess | undefined;

  private constructor(
    readonly folder: string,
    readonly port: number,
    readonly password: string,
    public appPassword = password,
  ) {}

  /** @param fill a command that creates the data folder; by default it gets a new, empty cluster */
  static async start(password = randomBytes(8).toString('hex'), fill?: string): Promise<DebianPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'omni-postgres-'));
    chmodSync(folder, 0o711);
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    if (NOBODY.uid !== undefined)
      for (const path of [folder, join(folder, 'data')]) chownSync(path, NOBODY.uid, NOBODY.gid);
    const postgres = new DebianPostgres(folder, await anyFreePort(), password);
    if (fill === undefined) await postgres.initialise();
    else await postgres.run(fill, { PGDATA: join(folder, 'data') });
    await postgres.boot();
    return postgres;
  }

  /** The database as the api and the worker reach it, and as the migrations do. */
  get url(): string {
    return this.urlAs('omni_app', this.appPassword);
  }

  get ownerUrl(): string {
    return this.urlAs('omni_owner', this.password);
  }

  private urlAs(role: string, password: string): string {
    return `postgres://${role}:${password}@127.0.0.1:${this.port}/omni`;
  }

  /** Runs a shell command with Postgres' tools, as the server's account and superuser, in its folder. Throws its output. */
  async run(command: string, env: Record<string, string> = {}): Promise<string> {
    const PATH = `${postgresPrograms}:${process.env.PATH}`;
    const server = { PGHOST: '127.0.0.1', PGPORT: String(this.port), PGPASSWORD: this.password };
    const options = { cwd: this.folder, env: { PATH, ...server, ...env }, ...NOBODY };
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command], options);
    return stdout;
  }

  async end(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    const { server } = this;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  }

  async close(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Sets the database up as the image does at its first start, with the files of docker-entrypoint-initdb.d. */
  private async initialise(): Promise<void> {
    writeFileSync(join(this.folder, 'password'), this.password, { mode: 0o644 });
    await this.run('initdb --pgdata=data --username=omni --pwfile=password --auth=scram-sha-256 --no-sync');
    await this.boot();
    await this.run('psql --username=omni --dbname=postgres --command="CREATE DATABASE omni"');
    const env = {
      POSTGRES_USER: 'omni',
      POSTGRES_DB: 'omni',
      PGDATA: 'data',
      POSTGRES_OWNER_PASSWORD: this.password,
      POSTGRES_APP_PASSWORD: this.password,
      REPLICATION_PASSWORD: this.password,
    };
    // Their text: the account of the server may not be able to enter the project's folder.
    for (const script of ['deploy/postgres/create-roles.sh', 'deploy/cluster/allow-replication.sh'])
      await this.run(textOf(script), env);
    await this.end();
  }

  private async boot(): Promise<void> {
    const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off'];
    const args = ['-D', join(this.folder, 'data'), '-p', String(this.port), ...settings];
    this.server = spawn(join(postgresPrograms, 'postgres'), args, { stdio: 'ignore', ...NOBODY });
    const isReady = () => this.run('pg_isready').catch(() => '');
    while ((await isReady()) === '') {
      if (this.server.exitCode !== null) throw new Error('Postgres ended at its start');
      await sleep(50);
    }
  }
}

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

  const startPostgres = async (...settings: Parameters<typeof DebianPostgres.start>): Promise<DebianPostgres> => {
    const server = await DebianPostgres.start(...settings);
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
  /** Runs a built program on the stores. */
  const runProgram = ({ url }: DebianPostgres, script: string, argument: string): Promise<string> =>
    runToEnd(['node', script, argument], { DATABASE_URL: url, EVENT_STORE_URL: eventStore.connectionString });
  const expectVerified = async (postgres: DebianPostgres): Promise<void> =>
    expect(await runProgram(postgres, 'dist/audit/main.js', 'verify')).toContain('compared as of event');

  let person: Person;
  /** Logs in and buys a token. */
  const buy = async (application: WholeApplication): Promise<void> => {
    const visitor = application.visitor();
    await ok(visitor.post('/api/login', PERSON));
    await ok(visitor.command('POST', '/api/buy-from-balance', { quantity: 1, userId: person.id }));
  };

  beforeAll(async () => {
    eventStore = await startTestEventStore();
    primary = await startPostgres();
    const application = await start(primary);
    const admin = await application.admin();
    person = await application.register(PERSON.username);
    await application.give(person, 9_000);
    await admin.visitor.post('/api/admin/game/start-live');
    await buy(application);
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
    // The copy begins with a checkpoint, which takes its time while there is much to write.
    await primary.run("psql --username=omni --command='CHECKPOINT'");
    const replica = await startPostgres(primary.password, copy);
    await buy(running!);
    await running!.close();
    await primary.end();

    await replica.run(commandOfPage(/psql --username=omni --command='SELECT pg_promote\(\)'/));
    await buy(await start(replica));
    await expectVerified(replica);
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

  it('the tables are rebuilt under that role', async () => {
    expect(await runProgram(primary, 'dist/projections/src/rebuild.js', 'all')).toContain('rebuilt up to');
  });

  it('POSTGRES_APP_PASSWORD: open connections stay, new ones need the new password', async () => {
    const open = new Client({ connectionString: primary.url });
    await open.connect();
    const before = primary.url;
    const statement = commandOfPage(/ALTER ROLE omni_app PASSWORD '…'/).replace('…', 'another-password');
    await primary.run(`psql --username=omni --command="${statement}"`);
    primary.appPassword = 'another-password';
    await open.query('SELECT 1');
    await open.end();
    await expect(new Client({ connectionString: before }).connect()).rejects.toThrow('password authentication failed');
    await buy(running!);
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
    await buy(changed);
    const keys = await keysOf(changed);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(formerKey);
  });

  it('a dump of what cannot be rebuilt restores into an empty database; the worker builds the tables, and the auditor agrees', async () => {
    await primary.run(commandOfPage(/pg_dump --username=omni .* > postgres\.dump$/m));
    const restored = await startPostgres();
    const dump = `${primary.folder}/postgres.dump`;
    const restore = commandOfPage(/pg_restore --username=omni --dbname=omni postgres\.dump/);
    await restored.run(restore.replace('postgres.dump', dump));
    await buy(await start(restored));
    await expectVerified(restored);
  });
});
