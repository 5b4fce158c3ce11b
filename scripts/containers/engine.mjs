import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root, run } from '../processes.mjs';

/** The release that has the servers in the versions of docker-compose.yml. */
const RELEASE = 'forky';
/** Files that the base image lacks: Compose, and what apt has downloaded. */
const LEFT_OUT = ['./usr/libexec/docker', '*.deb', './var/lib/apt/lists/*', './var/cache/apt/*.bin'];
const STAND_INS = join(root, 'deploy/containers');

/** Containers cannot run here. The message says what is missing. */
export class NoEngine extends Error {}

/** A Docker engine with Compose: the one that runs already, or one of our own with its data in `folder`. */
export class Engine {
  #folder;
  #env = {};
  #daemon;
  #compose = ['docker', 'compose'];
  #isOffline = false;

  /** Throws NoEngine. */
  static async start(folder) {
    const engine = new Engine();
    engine.#folder = folder;
    try {
      await engine.#startDaemon();
      await engine.#findImages();
      await engine.#findCompose();
      return engine;
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  /** Returns what the command printed. Throws it when the command fails. */
  async docker(...args) {
    return this.#run('docker', args);
  }

  async compose(...args) {
    return this.#run(this.#compose[0], [...this.#compose.slice(1), ...args]);
  }

  /** Runs compose at this process's end, also by a signal. Returns a function that cancels this. */
  composeAtExit(...args) {
    const [command, ...before] = this.#compose;
    const env = { ...process.env, ...this.#env };
    const down = () => spawnSync(command, [...before, ...args], { env, stdio: 'ignore' });
    process.prependListener('exit', down);
    return () => process.off('exit', down);
  }

  /** Whether the images are stand-ins, because no registry could be reached. */
  get hasStandIns() {
    return this.#isOffline;
  }

  async build(tag, ...args) {
    const network = this.#isOffline ? ['--network=host'] : [];
    await this.docker('build', ...network, `--tag=${tag}`, ...args);
  }

  /** Bytes of an image. */
  async sizeOf(image) {
    return Number(await this.docker('image', 'inspect', '--format={{.Size}}', image));
  }

  async close() {
    if (this.#daemon !== undefined && this.#daemon.exitCode === null) {
      const ended = new Promise((resolve) => this.#daemon.once('exit', resolve));
      this.#daemon.kill('SIGTERM');
      await ended;
      // The daemon leaves its network namespace mounted.
      await succeeds('umount', [join(this.#folder, 'exec-root/netns/default')]);
    }
  }

  async #run(command, args) {
    const { ok, output } = await run(command, args, { quiet: true, env: this.#env });
    if (!ok) throw new Error(`${command} ${args.join(' ')}:\n${output.slice(-4_000)}`);
    return output.trim();
  }

  async #startDaemon() {
    if (await succeeds('docker', ['info'])) return;
    if (!(await succeeds('dockerd', ['--version'])) || process.getuid() !== 0)
      throw new NoEngine('no Docker engine runs here, and none can be started (apt-get install docker.io, as root)');
    const socket = `unix://${this.#folder}/docker.sock`;
    const places = ['data-root', 'exec-root'].map((name) => `--${name}=${join(this.#folder, name)}`);
    const args = [...places, `--pidfile=${this.#folder}/dockerd.pid`, `--host=${socket}`];
    this.#daemon = spawn('dockerd', args, { stdio: 'ignore' });
    process.once('exit', () => this.#daemon.kill('SIGTERM'));
    this.#env = { DOCKER_HOST: socket };
    while (!(await succeeds('docker', ['info'], this.#env))) {
      if (this.#daemon.exitCode !== null) throw new NoEngine('dockerd ends at its start');
      await sleep(200);
    }
  }

  /** Uses the official images where a registry can be reached. */
  async #findImages() {
    if (!(await succeeds('docker', ['buildx', 'version'], this.#env))) this.#env.DOCKER_BUILDKIT = '0';
    this.#isOffline = !(await succeeds('docker', ['pull', '--quiet', 'postgres:18'], this.#env));
    if (!this.#isOffline) return;
    if (!(await succeeds('debootstrap', ['--version'])) || process.getuid() !== 0)
      throw new NoEngine('no image registry can be reached, nor images be made (apt-get install debootstrap, as root)');
  }

  async #findCompose() {
    if (await succeeds('docker', ['compose', 'version'], this.#env)) return;
    if (!this.#isOffline) throw new NoEngine('Docker has no Compose here');
    const debian = await this.#debian();
    await this.#run('chroot', [debian, 'apt-get', 'install', '--yes', '--no-install-recommends', 'docker-compose']);
    this.#compose = [join(debian, 'usr/libexec/docker/cli-plugins/docker-compose')];
  }

  /** Makes the stand-ins for the official images; returns the settings that name them. */
  async standIns() {
    const debian = await this.#debian();
    const excludes = LEFT_OUT.map((path) => `'--exclude=${path}'`).join(' ');
    if (!(await succeeds('docker', ['image', 'inspect', 'omni-debian'], this.#env)))
      await this.#run('sh', ['-c', `tar -C ${debian} ${excludes} -c . | docker import - omni-debian`]);
    for (const target of ['node', 'nginx', 'postgres'])
      await this.build(`omni-${target}`, `--target=${target}`, STAND_INS);
    const application = ['--target=build', '--build-arg=NODE_IMAGE=omni-node', '--file=deploy/Dockerfile', root];
    await this.build('omni-jackpot-build', ...application);
    await this.build('omni-event-store', '--target=event-store', STAND_INS);
    return {
      NODE_IMAGE: 'omni-node',
      NGINX_IMAGE: 'omni-nginx',
      POSTGRES_IMAGE: 'omni-postgres',
      EVENT_STORE_IMAGE: 'omni-event-store',
      CERTIFICATES_IMAGE: 'omni-event-store',
    };
  }

  /** Returns the folder of a small Debian. */
  async #debian() {
    const folder = join(this.#folder, 'debian');
    if (existsSync(folder)) return folder;
    const unfinished = `${folder}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    // An older debootstrap does not know the release; they are all made as `sid` is.
    const script = '/usr/share/debootstrap/scripts/sid';
    // Debootstrap takes its own mirror when none is set.
    const mirror = '';
    const options = ['--variant=minbase', '--include=ca-certificates'];
    await this.#run('debootstrap', [...options, RELEASE, unfinished, mirror, script]);
    // A mirror may be some weeks old.
    writeFileSync(join(unfinished, 'etc/apt/apt.conf.d/old-mirrors'), 'Acquire::Check-Valid-Until "false";\n');
    // This machine may reach the npm registry through a proxy with a certificate of its own.
    const trusted = process.env.NODE_EXTRA_CA_CERTS ?? join(unfinished, 'etc/ssl/certs/ca-certificates.crt');
    copyFileSync(trusted, join(unfinished, 'etc/ssl/trusted.crt'));
    await this.#run('chroot', [unfinished, 'apt-get', 'update']);
    await this.#run('mv', [unfinished, folder]);
    return folder;
  }
}

async function succeeds(command, args, env) {
  const { ok } = await run(command, args, { quiet: true, env }).catch(() => ({ ok: false }));
  return ok;
}
