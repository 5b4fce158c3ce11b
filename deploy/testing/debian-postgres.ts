import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { anyFreePort } from '../../embedded/postgres/free-port.js';
import { textOf } from './deployment-files.js';

const INSTALLED = '/usr/lib/postgresql';
/** Postgres refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a)) : [];

/** The folder with the programs and tools of Debian's newest Postgres; it may not exist. */
export const postgresPrograms = join(INSTALLED, versions[0] ?? '', 'bin');

/** A Postgres server as the compose files run it: the superuser and the database `omni`, and the roles of create-roles.sh. */
export class DebianPostgres {
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
