/** The deployment as containers: built, started, played on while each process is killed, verified, measured, taken down. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Engine, NoEngine } from './containers/engine.mjs';
import { Browser, Gamer, MONEY_CENTS } from './containers/gamer.mjs';
import { root, run } from './processes.mjs';

const GAMERS = 6;
/** The bytes that the image may add to its base image. */
const IMAGE_LIMIT_BYTES = 120_000_000;
const OUTAGE_MS = 15_000;
/** How long purchases may pause after the event store has come back. */
const GAP_LIMIT_MS = 2_000;
const DOWN = ['down', '--volumes', '--timeout=15'];
const FILES = ['docker-compose.yml', 'deploy/tls/docker-compose.yml', 'deploy/cluster/docker-compose.yml'];

/** Returns whether everything held; true with a sentence where containers cannot be run. */
export async function tryContainers() {
  const folder = mkdtempSync(join(tmpdir(), 'omni-containers-'));
  chmodSync(folder, 0o755);
  let engine;
  try {
    engine = await Engine.start(folder);
    const findings = await tryDeployment(engine, folder);
    for (const finding of findings) console.log(`✗ ${finding}`);
    return findings.length === 0;
  } catch (error) {
    if (!(error instanceof NoEngine)) throw error;
    console.log(`Skipped: ${error.message}.`);
    return true;
  } finally {
    await engine?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryDeployment(engine, folder) {
  console.log('Building the images …');
  const images = engine.hasStandIns ? await engine.standIns() : {};
  const own = { OMNI_VERSION: 'containers', TLS_FOLDER: folder };
  const settings = { ...secrets(), ...images, ...(await freeAddress()), ...own };
  const envFile = join(folder, 'settings');
  writeFileSync(
    envFile,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const composeWith = (project, files) => {
    const all = files.flatMap((file) => ['--file', join(root, file)]);
    const options = ['--project-name', project, '--env-file', envFile, ...all];
    return Object.assign((...args) => engine.compose(...options, ...args), { options });
  };
  /** Takes the containers down after the work, also when this process is interrupted. */
  const takingDown = async (compose, work) => {
    const withdraw = engine.composeAtExit(...compose.options, ...DOWN);
    try {
      await work();
    } catch (error) {
      console.log(await compose('logs', '--no-color', '--tail=20'));
      throw error;
    } finally {
      await compose(...DOWN);
      withdraw();
    }
  };
  const base =
    settings.NODE_IMAGE ?? /^ARG NODE_IMAGE=(.*)$/m.exec(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'))[1];
  await engine.build('omni-jackpot:containers', `--build-arg=NODE_IMAGE=${base}`, '--file=deploy/Dockerfile', root);
  const added = (await engine.sizeOf('omni-jackpot:containers')) - (await engine.sizeOf(base));
  const findings = [];
  measure(findings, 'the image adds to its base', added / 1e6, 'MB', IMAGE_LIMIT_BYTES / 1e6);

  const project = `omni-containers-${randomBytes(3).toString('hex')}`;
  const compose = composeWith(project, FILES.slice(0, 1));
  await takingDown(compose, async () => {
    await play({ engine, compose, project, url: settings.PUBLIC_ORIGIN, settings, findings });
    await tryTls({ compose: composeWith(project, FILES.slice(0, 2)), folder, findings });
  });
  const cluster = composeWith(`${project}-cluster`, [FILES[0], FILES[2]]);
  await takingDown(cluster, () => tryReplica(cluster));
  return findings;
}

async function play({ engine, compose, project, url, settings, findings }) {
  const startedAtMs = Date.now();
  await compose('up', '--detach', '--no-build');
  await until('the site to be healthy', async () => (await health(url))?.status === 'ok', 180_000);
  measure(findings, 'from nothing to healthy', (Date.now() - startedAtMs) / 1e3, 's');
  const containerOf = (service, index = 1) => `${project}-${service}-${index}`;

  const admin = new Browser(url, '203.0.113.200');
  await admin.demand('/api/login', { username: 'admin', password: settings.ADMIN_PASSWORD });
  const gamers = [];
  for (let index = 1; index <= GAMERS; index += 1) {
    const gamer = await Gamer.register(url, index);
    const money = { purchaseBalanceCents: MONEY_CENTS, totalWinningsCents: 0, reason: 'play money' };
    await admin.demand(`/api/admin/mini/gamers/${gamer.id}/adjust`, money);
    gamers.push(gamer);
  }
  await admin.demand('/api/admin/game/start-live');
  const buying = Promise.all(gamers.map((gamer) => gamer.buyUntilStopped()));
  buying.catch(() => {});
  const times = () => gamers.flatMap(({ receipts }) => receipts.map(({ atMs }) => atMs)).sort((a, b) => a - b);
  const goesOn = async () => {
    const before = times().length;
    await until('purchases to go on', () => times().length >= before + 50, 60_000);
  };
  /** Seconds of the longest pause between two purchases since then. */
  const longestPause = (sinceMs) => {
    const all = [sinceMs, ...times().filter((time) => time > sinceMs)];
    return Math.max(...all.slice(1).map((time, index) => time - all[index])) / 1e3;
  };

  /** How often which status came since then in place of a receipt. */
  const refusedSince = (sinceMs) => {
    const counts = {};
    for (const { status, atMs } of gamers.flatMap(({ refusals }) => refusals))
      if (atMs > sinceMs) counts[status] = (counts[status] ?? 0) + 1;
    return `refused: ${JSON.stringify(counts)}`;
  };

  await goesOn();
  const killed = ['api-1', 'api-2', 'projections', 'event-store', 'postgres', 'nginx'].map((name) => containerOf(name));
  for (const container of [...killed, containerOf('projections', 2)]) {
    const atMs = Date.now();
    const name = container.slice(project.length + 1);
    await engine.docker('kill', container);
    await engine.docker('start', container);
    await goesOn();
    measure(findings, `longest pause after ${name} was killed (${refusedSince(atMs)})`, longestPause(atMs), 's');
    if (name.startsWith('api') && refusedSince(atMs).includes('502'))
      findings.push(`nginx answers 502 without ${name}`);
    const state = ['inspect', '--format={{if .State.Health}}{{.State.Health.Status}}{{end}}', container];
    await until(`${name} to be healthy`, async () => ['', 'healthy'].includes(await engine.docker(...state)), 60_000);
  }

  const store = containerOf('event-store');
  await engine.docker('kill', store);
  await sleep(OUTAGE_MS);
  await engine.docker('start', store);
  const probe = ['exec', store, 'curl', '--silent', '--fail', '--insecure', 'https://localhost:2113/health/live'];
  await until(
    'the event store to be back',
    () =>
      engine.docker(...probe).then(
        () => true,
        () => false,
      ),
    60_000,
    100,
  );
  const backAtMs = Date.now();
  await goesOn();
  const [firstAtMs = Number.NaN] = times().filter((time) => time > backAtMs - 500);
  const limit = GAP_LIMIT_MS / 1e3;
  measure(
    findings,
    'the first purchase after the event store was back',
    Math.max(0, firstAtMs - backAtMs) / 1e3,
    's',
    limit,
  );

  for (const gamer of gamers) gamer.stop();
  await buying;
  for (const gamer of gamers) gamer.assertPaidOnce();
  console.log(`${times().length} purchases, each made and paid once; ${refusedSince(0)}`);
  await until('the tables to be current', async () => (await health(url))?.status === 'ok', 60_000);
  console.log(lastLine(await compose('exec', '-T', 'api-1', 'node', 'dist/audit/main.js', 'verify')));

  for (const service of ['projections', 'api-1', 'api-2']) {
    await engine.docker('stop', containerOf(service));
    const code = await engine.docker('inspect', '--format={{.State.ExitCode}}', containerOf(service));
    if (code !== '0') findings.push(`${service} ends with ${code} at TERM`);
    await engine.docker('start', containerOf(service));
  }
  const logs = await compose('logs', '--no-color');
  for (const [name, value] of Object.entries(settings))
    if (/PASSWORD|SECRET/.test(name) && logs.includes(value)) findings.push(`a log has ${name}`);
  await until('the site to be healthy', async () => (await health(url))?.status === 'ok', 60_000);
}

/** nginx ends TLS: with a certificate made here, on ports 80 and 443. */
async function tryTls({ compose, folder, findings }) {
  if (!((await isFree(80)) && (await isFree(443))))
    return console.log('Skipped: TLS, because port 80 or 443 is in use.');
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
  const { ok, output } = await run('openssl', [...request, ...files], { quiet: true });
  if (!ok) throw new Error(output);
  for (const file of ['privkey.pem', 'fullchain.pem']) chmodSync(join(folder, file), 0o644);
  await compose('up', '--detach', '--no-build', '--no-deps', 'nginx');
  const args = [
    '--silent',
    '--insecure',
    '--location',
    '--write-out',
    '%{http_code} %{scheme}',
    '--output',
    '/dev/null',
  ];
  const readHealth = async () => (await run('curl', [...args, 'http://localhost/api/health'], { quiet: true })).output;
  await until('nginx to answer', async () => !(await readHealth()).startsWith('000'), 30_000);
  const [status, scheme] = (await readHealth()).toLowerCase().split(' ');
  console.log(`through TLS: ${status} over ${scheme}`);
  if (status !== '200' || scheme !== 'https') findings.push('nginx does not send a visit on to https');
}

/** The cluster file's replica of Postgres. Its event store nodes copy each other, which the stand-in cannot. */
async function tryReplica(compose) {
  await compose('config', '--quiet');
  await compose('up', '--detach', '--no-build', 'postgres-replica');
  const ask = ['exec', '-T', 'postgres-replica', 'psql', '--username=omni', '--tuples-only', '--command'];
  const isStandby = () =>
    compose(...ask, 'SELECT pg_is_in_recovery()').then(
      (response) => response === 't',
      () => false,
    );
  await until('the replica to follow', isStandby, 60_000);
  console.log('the replica of Postgres follows');
}

function secrets() {
  const names = FILES.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/(?<=\$\{)[A-Z_]+(?=:\?)/g));
  return Object.fromEntries(names.map((name) => [name, randomBytes(16).toString('hex')]));
}

async function freeAddress() {
  const port = await new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
  return { WEB_PORT: port, PUBLIC_ORIGIN: `http://127.0.0.1:${port}` };
}

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });

const health = (url) =>
  fetch(`${url}/api/health`, { signal: AbortSignal.timeout(5_000) })
    .then(
      (response) => response.json(),
      () => undefined,
    )
    .catch(() => undefined);

async function until(what, condition, timeoutMs, intervalMs = 200) {
  const endMs = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error(`waited ${timeoutMs / 1e3} s for ${what}`);
    await sleep(intervalMs);
  }
}

/** Prints a figure; above its limit, if it has one, it is a finding. */
function measure(findings, what, value, unit, limit = Number.POSITIVE_INFINITY) {
  console.log(`${what}: ${value.toFixed(1)} ${unit}`);
  if (!(value <= limit)) findings.push(`${what}: ${value.toFixed(1)} ${unit}, and ${limit} is the limit`);
}

const lastLine = (text) => text.split('\n').at(-1);
