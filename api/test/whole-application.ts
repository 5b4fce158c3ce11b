import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { io, type Socket } from 'socket.io-client';
import type { GamerSession } from '../../contracts/http/gamers.js';
import { type ClientToServer, type ServerToClient, SOCKET_PATH } from '../../contracts/live.js';
import type { EmbeddedPayments } from '../../embedded/payments/start-embedded-payments.js';
import { EventLog } from '../../event-log/event-log.js';
import { Runner } from '../../projections/src/runner.js';
import { allViews } from '../../projections/src/views/all-views.js';
import { ADMIN_PASSWORD, type RunningApi, type Stores, startApi, startStores } from './api-under-test.js';
import { ACCOUNT } from './payer.js';
import { type Answer, Visitor } from './visitor.js';

export type LiveSocket = Socket<ServerToClient, ClientToServer>;

export interface Person {
  id: string;
  gamerTag: string;
  visitor: Visitor;
}

/** Both stores, one or more api nodes and the worker, for tests over HTTP and sockets. */
export class WholeApplication {
  private readonly sockets: LiveSocket[] = [];
  private readonly others: RunningApi[] = [];
  readonly workerFailures: Error[] = [];
  private giver: Person | undefined;

  private constructor(
    readonly stores: Stores,
    readonly api: RunningApi,
    private readonly log: EventLog,
    readonly worker: Runner,
  ) {}

  /** On empty stores unless others are given. */
  static async start(env: NodeJS.ProcessEnv = {}, given?: Stores): Promise<WholeApplication> {
    const stores = given ?? (await startStores());
    const api = await startApi(stores, env);
    const log = new EventLog(stores.eventStoreUrl, { streamPrefix: env.STREAM_PREFIX });
    const worker = new Runner({
      databaseUrl: stores.databaseUrl,
      log,
      views: allViews,
      logger: pino({ level: 'silent' }),
      onFatal: (error) => application.workerFailures.push(error),
    });
    const application = new WholeApplication(stores, api, log, worker);
    worker.start();
    while ((await application.visitor().get('/api/stats')).status !== 200) await sleep(20);
    return application;
  }

  async startAnotherNode(): Promise<RunningApi> {
    const node = await startApi(this.stores);
    this.others.push(node);
    return node;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.close();
    await this.worker.stop();
    await this.log.close();
    await Promise.all([this.api, ...this.others].map((node) => node.close()));
    await this.stores.close();
    if (this.workerFailures.length > 0) throw new AggregateError(this.workerFailures, 'the worker failed');
  }

  visitor(headers: Record<string, string> = {}): Visitor {
    return new Visitor(this.api.url, headers);
  }

  async admin(): Promise<Person> {
    const visitor = this.visitor();
    const { body } = await visitor.post<GamerSession>('/api/login', { username: 'admin', password: ADMIN_PASSWORD });
    return { id: body.id, gamerTag: body.gamerTag, visitor };
  }

  async register(gamerTag: string, referralCode: string | null = null): Promise<Person> {
    const visitor = this.visitor();
    const body = { username: gamerTag, email: `${gamerTag}@example.com`, password: 'open sesame', referralCode };
    const answer = await visitor.post<GamerSession & { error?: string }>('/api/register', body);
    if (answer.status !== 201) throw new Error(`${gamerTag} could not register: ${answer.body.error}`);
    return { id: answer.body.id, gamerTag, visitor };
  }

  /** The admin adds to a gamer's balances. */
  async give({ id }: Person, purchaseBalanceCents: number, totalWinningsCents = 0): Promise<Answer<unknown>> {
    this.giver ??= await this.admin();
    const gift = { purchaseBalanceCents, totalWinningsCents, reason: 'for a test' };
    const answer = await this.giver.visitor.post(`/api/admin/mini/gamers/${id}/adjust`, gift);
    if (answer.status !== 200) throw new Error(`no gift: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  /** Connects with a visitor's session, and waits for the first message: the server has then set the socket up. */
  async socket(visitor?: Visitor, url = this.api.url): Promise<LiveSocket> {
    const session = visitor?.cookie('omni.sid');
    const socket: LiveSocket = io(url, {
      path: SOCKET_PATH,
      extraHeaders: { origin: url, ...(session && { cookie: `omni.sid=${session}` }) },
      reconnection: false,
      forceNew: true,
    });
    this.sockets.push(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('state:update', () => resolve());
      socket.once('connect_error', reject);
    });
    return socket;
  }
}

export async function startWithAliceAndBob(env: NodeJS.ProcessEnv = {}) {
  const application = await WholeApplication.start(env);
  const admin = await application.admin();
  const alice = await application.register('alice');
  const bob = await application.register('bob');
  return { application, admin, alice, bob };
}

/** The environment of an api that uses this gateway. */
export const settingsOf = (gateway: EmbeddedPayments): NodeJS.ProcessEnv => ({
  PAYMENTS_API_URL: gateway.apiUrl,
  PAYMENTS_API_KEY: ACCOUNT.apiKey,
  PAYMENTS_IPN_SECRET: ACCOUNT.ipnSecret,
  PAYMENTS_EMAIL: ACCOUNT.email,
  PAYMENTS_PASSWORD: ACCOUNT.password,
});

/** Reads like the client: a query after a command carries the command's position. */
export async function readAfter<T>(visitor: Visitor, written: Answer<unknown>, path: string): Promise<T> {
  const position = written.headers.get('x-position');
  if (position === null) throw new Error(`no X-Position came with ${JSON.stringify(written.body)}`);
  const answer = await visitor.get<T>(path, { 'x-after-position': position });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

type Message<Name extends keyof ServerToClient> = Parameters<ServerToClient[Name]>[0];

export const nextMessage = <Name extends keyof ServerToClient>(
  socket: LiveSocket,
  name: Name,
): Promise<Message<Name>> =>
  new Promise((resolve) => {
    socket.onAny(function listen(receivedName: string, message: Message<Name>) {
      if (receivedName !== name) return;
      socket.offAny(listen);
      resolve(message);
    });
  });
