/* docker-compose.yml as plain processes, which are killed in mid-round while gamers buy and retry with their keys. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { io } from 'socket.io-client';
import type { HealthReport } from '../api/src/features/health/readiness.js';
import { ADMIN_PASSWORD } from '../api/test/api-under-test.js';
import { ok, Visitor } from '../api/test/visitor.js';
import type { LiveSocket } from '../api/test/whole-application.js';
import { AFTER_POSITION, IDEMPOTENCY_KEY, POSITION } from '../contracts/http/headers.js';
import type { PurchaseReceipt } from '../contracts/http/purchases.js';
import { TOKEN_PRICE_CENTS } from '../contracts/limits.js';
import { SOCKET_PATH } from '../contracts/live.js';
import { until } from '../contracts/testing/until.js';
import { builtFile } from '../embedded/launcher/built-files.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { createTestDatabase } from '../embedded/postgres/testing/test-database.js';
import { composeFile, textOf } from './testing/deployment-files.js';
import { describeWith } from './testing/describe-with.js';
import { nginxArguments, nginxFolder } from './testing/nginx.js';
import { runToEnd, Service } from './testing/service.js';

// Twelve starts of processes, on a machine that may be busy.
jest.setTimeout(300_000);

const GAMERS = 4;
const MONEY_CENTS = 1_000_000;

interface Gamer {
  id: string;
  /** A browser with an address of its own, behind nginx. */
  visitor: Visitor;
  receipts: PurchaseReceipt[];
}

/** Buys one token; sends the request again with its key until the response is definite, as the client does. */
async function buy({ id, visitor, receipts }: Gamer): Promise<{ receipt: PurchaseReceipt; position: string }> {
  const key = { [IDEMPOTENCY_KEY]: randomUUID() };
  const order = { quantity: 1, userId: id };
  const bought = until(
    () => visitor.post<PurchaseReceipt>('/api/buy-from-balance', order, key).catch(() => null),
    (response) => response !== null && response.status < 500,
  );
  const { body: receipt, headers } = await ok(bought);
  receipts.push(receipt);
  return { receipt, position: headers.get(POSITION) ?? '' };
}

async function balanceOf({ id, visitor }: Gamer, position: string): Promise<number> {
  const after = { [AFTER_POSITION]: position };
  const { body } = await visitor.get<{ wallet: { purchaseBalanceCents: number } }>(`/api/gamer/${id}`, after);
  return body.wallet.purchaseBalanceCents;
}

const nextPurchase = (socket: LiveSocket): Promise<string> =>
  new Promise((resolve) => socket.once('purchase:added', ({ purchaseId }) => resolve(purchaseId)));

describeWith('nginx', 'nginx-light')('two of everything', () => {
  let topology: Awaited<ReturnType<typeof startTopology>>;
  const gamers: Gamer[] = [];
  const sockets: LiveSocket[] = [];

  beforeAll(async () => {
    topology = await startTopology();
    const { url } = topology;
    const admin = new Visitor(url);
    await ok(admin.post('/api/login', { username: 'admin', password: ADMIN_PASSWORD }));
    for (let index = 1; index <= GAMERS; index += 1) {
      const visitor = new Visitor(url, { 'x-forwarded-for': `203.0.113.${index}` });
      const account = { username: `gamer_${index}`, email: `gamer_${index}@example.com`, password: 'open sesame' };
      const { body } = await ok(visitor.post<{ id: string }>('/api/register', { ...account, referralCode: null }));
      const money = { purchaseBalanceCents: MONEY_CENTS, totalWinningsCents: 0, reason: 'play money' };
      await ok(admin.post(`/api/admin/mini/gamers/${body.id}/adjust`, money));
      gamers.push({ id: body.id, visitor, receipts: [] });
    }
    await ok(admin.post('/api/admin/game/start-live'));
  });

  afterAll(async () => {
    for (const socket of sockets) socket.close();
    await topology?.close();
  });

  const socketsOf = async (nodeUrl: string): Promise<number> => {
    const { body } = await new Visitor(nodeUrl).get<string>('/api/metrics');
    return Number(/^live_sockets (\d+)$/m.exec(body)?.[1]);
  };

  it('sockets on both nodes see every purchase, through polling and websockets', async () => {
    for (let address = 1; (await Promise.all(topology.nodeUrls.map(socketsOf))).includes(0); address += 1) {
      const socket = io(topology.url, {
        path: SOCKET_PATH,
        extraHeaders: { origin: topology.url, 'x-forwarded-for': `198.51.100.${address}` },
        forceNew: true,
      });
      sockets.push(socket);
      await new Promise<void>((resolve) => socket.once('state:update', () => resolve()));
    }
    expect(sockets.length).toBeGreaterThanOrEqual(2);
    const seen = sockets.map((socket) => nextPurchase(socket));
    const { receipt } = await buy(gamers[0]!);
    for (const purchaseId of await Promise.all(seen)) expect(purchaseId).toBe(receipt.purchaseId);
    for (const socket of sockets) expect(socket.io.engine.transport.name).toBe('websocket');
  });

  it('gamers read their own writes from either node', async () => {
    const gamer = gamers[1]!;
    for (let time = 0; time < 10; time += 1) {
      const { position, receipt } = await buy(gamer);
      for (const node of topology.nodeUrls) {
        const reader = { ...gamer, visitor: gamer.visitor.at(node) };
        expect(await balanceOf(reader, position)).toBe(receipt.purchaseBalanceCents);
      }
    }
  });

  it('loses nothing and does nothing twice while processes are killed, nodes restarted and tables rebuilt', async () => {
    const { apis, runners, eventStore } = topology;
    let isBuying = true;
    const buying = gamers.map(async (gamer) => {
      while (isBuying) {
        await buy(gamer);
        // Leaves the processor to the processes that start.
        await sleep(50);
      }
    });
    const bought = () => gamers.reduce((sum, { receipts }) => sum + receipts.length, 0);
    const buysGoOn = async () => {
      const before = bought();
      while (bought() < before + 20) await sleep(20);
    };
    await buysGoOn();
    for (const service of [apis[0]!, runners[0]!, eventStore]) {
      await service.end('SIGKILL');
      await service.start();
      await buysGoOn();
    }
    const stops: { seconds: number; code: number | null }[] = [];
    for (const service of [...apis, ...runners]) {
      stops.push(await service.end('SIGTERM'));
      await service.start();
      await buysGoOn();
    }
    const rebuilt = await runToEnd(['node', 'dist/projections/src/rebuild.js', 'all'], topology.stores);
    expect(rebuilt).toContain('rebuilt up to');
    isBuying = false;
    await Promise.all(buying);
    await until(async () => (await new Visitor(topology.url).get<HealthReport>('/api/health')).body.status === 'ok');
    expect(Math.max(...stops.map(({ seconds }) => seconds))).toBeLessThan(10);
    expect(stops.map(({ code }) => code)).toEqual([0, 0, 0, 0]);

    const receipts = gamers.flatMap((gamer) => gamer.receipts);
    expect(new Set(receipts.map(({ purchaseId }) => purchaseId)).size).toBe(receipts.length);
    for (const gamer of gamers) {
      const { receipt, position } = await buy(gamer);
      expect(receipt.purchaseBalanceCents).toBe(MONEY_CENTS - gamer.receipts.length * TOKEN_PRICE_CENTS);
      expect(await balanceOf(gamer, position)).toBe(receipt.purchaseBalanceCents);
    }
    const verdict = await runToEnd(['node', 'dist/audit/main.js', 'verify'], topology.stores);
    expect(verdict).toContain('compared as of event');
  });

  it('the sockets came back, and see purchases again', async () => {
    for (const socket of sockets) while (!socket.connected) await sleep(50);
    const seen = sockets.map((socket) => nextPurchase(socket));
    const { receipt } = await buy(gamers[0]!);
    for (const purchaseId of await Promise.all(seen)) expect(purchaseId).toBe(receipt.purchaseId);
  });
});

/** docker-compose.yml as plain processes: its own commands, on the embedded event store and the tests' Postgres. */
async function startTopology() {
  const [database, logDatabase] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const [storePort, nginxPort] = [await anyFreePort(), await anyFreePort()];
  const apiPorts = [await anyFreePort(), await anyFreePort()];
  const stores = { DATABASE_URL: database.url, EVENT_STORE_URL: `esdb://127.0.0.1:${storePort}?tls=false` };
  const eventStore = new Service({
    command: [process.execPath, builtFile('embedded/event-store/main.js')],
    env: { EVENT_STORE_DATABASE_URL: logDatabase.url, EVENT_STORE_PORT: String(storePort) },
    probe: () => connectTo(storePort),
  });
  const runners = [0, 1].map(() => new Service({ command: commandOf('projections'), env: stores }));
  const apis = apiPorts.map((port) => apiService(port, stores));
  const nodes = apiPorts.map((port) => `127.0.0.1:${port}`);
  const configuration = nginxFolder({ nodes, listen: `listen 127.0.0.1:${nginxPort};` });
  const command = ['nginx', ...nginxArguments(configuration)];
  const nginx = new Service({ command, probe: () => connectTo(nginxPort) });
  const all = [nginx, ...apis, ...runners, eventStore];
  const close = async () => {
    for (const service of all) await service.end('SIGTERM');
    await Promise.all([database.drop(), logDatabase.drop()]);
    rmSync(dirname(configuration), { recursive: true, force: true });
  };
  try {
    await eventStore.start();
    await runToEnd(commandOf('migrations'), stores);
    for (const service of [...runners, ...apis, nginx]) await service.start();
  } catch (error) {
    await close();
    throw error;
  }
  /** Addresses of the nodes, past nginx. */
  const nodeUrls = nodes.map((node) => `http://${node}`);
  return { url: `http://127.0.0.1:${nginxPort}`, nodeUrls, stores, eventStore, apis, runners, close };
}

/** The image's own command, and for the health check the one of docker-compose.yml, both with another port. */
function apiService(port: number, env: Record<string, string>): Service {
  const healthCheck = composeFile('docker-compose.yml').services['api-1']?.healthcheck?.test ?? [];
  const check = healthCheck.slice(1).map((word) => word.replace('127.0.0.1:3000', `127.0.0.1:${port}`));
  const command = JSON.parse(/^CMD (.*)$/m.exec(textOf('deploy/Dockerfile'))?.[1] ?? '');
  return new Service({
    command,
    env: {
      ...env,
      PORT: String(port),
      SESSION_SECRET: 'a secret that only tests know',
      ADMIN_PASSWORD,
      TRUST_PROXY: 'loopback, uniquelocal',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    },
    probe: () => runToEnd(check, {}),
  });
}

function commandOf(service: string): string[] {
  const command = composeFile('docker-compose.yml').services[service]?.command;
  if (command === undefined) throw new Error(`docker-compose.yml has no command for ${service}`);
  return command;
}

/** Rejects when nothing listens on the port. */
async function connectTo(port: number): Promise<void> {
  const socket = createConnection(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}
