/* docker-compose.yml as plain processes, which are killed in mid-round while gamers buy and retry with their keys. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { HealthReport } from '../api/src/features/health/readiness.js';
import { Visitor } from '../api/test/visitor.js';
import { AFTER_POSITION, IDEMPOTENCY_KEY, POSITION } from '../contracts/http/headers.js';
import type { PurchaseReceipt } from '../contracts/http/purchases.js';
import { TOKEN_PRICE_CENTS } from '../contracts/limits.js';
import { type ClientToServer, type ServerToClient, SOCKET_PATH } from '../contracts/live.js';
import { describeWith } from './testing/describe-with.js';
import { runToEnd } from './testing/service.js';
import { ADMIN_PASSWORD, startTopology, type Topology } from './testing/topology.js';

// Twelve starts of processes, on a machine that may be busy.
jest.setTimeout(300_000);

const GAMERS = 4;
const MONEY_CENTS = 1_000_000;

/** A gamer in a browser of its own address, behind nginx. */
class Gamer {
  readonly receipts: PurchaseReceipt[] = [];
  private isBuying = true;

  private constructor(
    readonly id: string,
    readonly visitor: Visitor,
  ) {}

  static async register(url: string, gamerTag: string, address: string): Promise<Gamer> {
    const visitor = new Visitor(url, { 'x-forwarded-for': address });
    const body = { username: gamerTag, email: `${gamerTag}@example.com`, password: 'open sesame', referralCode: null };
    const result = await visitor.post<{ id: string }>('/api/register', body);
    expect(result.status).toBe(201);
    return new Gamer(result.body.id, visitor);
  }

  /** Buys one token; sends the request again with its key until the response is definite, as the client does. */
  async buy(): Promise<{ receipt: PurchaseReceipt; position: string }> {
    const headers = { [IDEMPOTENCY_KEY]: randomUUID() };
    for (;;) {
      const body = { quantity: 1, userId: this.id };
      const result = await this.visitor.post<PurchaseReceipt>('/api/buy-from-balance', body, headers).catch(() => null);
      if (result?.status === 200) {
        this.receipts.push(result.body);
        return { receipt: result.body, position: result.headers.get(POSITION) ?? '' };
      }
      if (result !== null && result.status < 500) throw new Error(`${result.status} ${JSON.stringify(result.body)}`);
      await sleep(100);
    }
  }

  async keepBuying(): Promise<void> {
    while (this.isBuying) {
      await this.buy();
      // Leaves the processor to the processes that start.
      await sleep(50);
    }
  }

  stop(): void {
    this.isBuying = false;
  }
}

describeWith('nginx', 'nginx-light')('two of everything', () => {
  let topology: Topology;
  let admin: Visitor;
  let gamers: Gamer[];
  const sockets: Socket<ServerToClient, ClientToServer>[] = [];

  beforeAll(async () => {
    topology = await startTopology();
    admin = new Visitor(topology.url);
    expect((await admin.post('/api/login', { username: 'admin', password: ADMIN_PASSWORD })).status).toBe(200);
    gamers = [];
    for (let index = 1; index <= GAMERS; index += 1) {
      const gamer = await Gamer.register(topology.url, `gamer_${index}`, `203.0.113.${index}`);
      const money = { purchaseBalanceCents: MONEY_CENTS, totalWinningsCents: 0, reason: 'play money' };
      expect((await admin.post(`/api/admin/mini/gamers/${gamer.id}/adjust`, money)).status).toBe(200);
      gamers.push(gamer);
    }
    expect((await admin.post('/api/admin/game/start-live')).status).toBe(200);
  });

  afterAll(async () => {
    for (const socket of sockets) socket.close();
    await topology?.close();
  });

  const socketsOf = async (nodeUrl: string): Promise<number> => {
    const { body } = await new Visitor(nodeUrl).get<string>('/api/metrics');
    return Number(/^live_sockets (\d+)$/m.exec(body)?.[1]);
  };

  it('sends the static files compressed, to be kept for a year', async () => {
    const result = await fetch(`${topology.url}/assets/app-1.js`, { headers: { 'accept-encoding': 'br' } });
    expect(Object.fromEntries(result.headers)).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

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
    const { receipt } = await (gamers[0] as Gamer).buy();
    for (const version of await Promise.all(seen)) expect(version).toBe(receipt.purchaseId);
    for (const socket of sockets) expect(socket.io.engine.transport.name).toBe('websocket');
  });

  it('gamers read their own writes from either node', async () => {
    const gamer = gamers[1] as Gamer;
    for (let time = 0; time < 10; time += 1) {
      const { position, receipt } = await gamer.buy();
      for (const node of topology.nodeUrls) {
        const { body } = await gamer.visitor
          .at(node)
          .get<{ wallet: { purchaseBalanceCents: number } }>(`/api/gamer/${gamer.id}`, { [AFTER_POSITION]: position });
        expect(body.wallet.purchaseBalanceCents).toBe(receipt.purchaseBalanceCents);
      }
    }
  });

  it('loses nothing and does nothing twice while processes are killed, nodes restarted and tables rebuilt', async () => {
    const { apis, runners, eventStore } = topology;
    const buying = gamers.map((gamer) => gamer.keepBuying());
    const bought = () => gamers.reduce((sum, { receipts }) => sum + receipts.length, 0);
    const buysGoOn = async () => {
      const before = bought();
      while (bought() < before + 20) await sleep(20);
    };
    await buysGoOn();
    for (const service of [apis[0], runners[0], eventStore]) {
      await service.restart('SIGKILL');
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
    for (const gamer of gamers) gamer.stop();
    await Promise.all(buying);
    while ((await new Visitor(topology.url).get<HealthReport>('/api/health')).body.status !== 'ok') await sleep(100);
    expect(Math.max(...stops.map(({ seconds }) => seconds))).toBeLessThan(10);
    expect(stops.map(({ code }) => code)).toEqual([0, 0, 0, 0]);

    const receipts = gamers.flatMap((gamer) => gamer.receipts);
    expect(new Set(receipts.map(({ purchaseId }) => purchaseId)).size).toBe(receipts.length);
    for (const gamer of gamers) {
      const { receipt, position } = await gamer.buy();
      expect(receipt.purchaseBalanceCents).toBe(MONEY_CENTS - gamer.receipts.length * TOKEN_PRICE_CENTS);
      const { body } = await gamer.visitor.get<{ wallet: { purchaseBalanceCents: number } }>(`/api/gamer/${gamer.id}`, {
        [AFTER_POSITION]: position,
      });
      expect(body.wallet.purchaseBalanceCents).toBe(receipt.purchaseBalanceCents);
    }
    const verdict = await runToEnd(['node', 'dist/audit/main.js', 'verify'], topology.stores);
    expect(verdict).toContain('compared as of event');
  });

  it('the sockets came back, and see purchases again', async () => {
    for (const socket of sockets) while (!socket.connected) await sleep(50);
    const seen = sockets.map((socket) => nextPurchase(socket));
    const { receipt } = await (gamers[0] as Gamer).buy();
    for (const purchaseId of await Promise.all(seen)) expect(purchaseId).toBe(receipt.purchaseId);
  });
});

const nextPurchase = (socket: Socket<ServerToClient, ClientToServer>): Promise<string> =>
  new Promise((resolve) => socket.once('purchase:added', ({ purchaseId }) => resolve(purchaseId)));
