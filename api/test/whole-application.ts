import { Pool } from 'pg';
import { pino } from 'pino';
import { io, type Socket } from 'socket.io-client';
import type { Recorded } from '../../contracts/events/recorded.js';
import type { GamePhase, StateResponse } from '../../contracts/http/game.js';
import type { GamerSession } from '../../contracts/http/gamers.js';
import { type ClientToServer, type ServerToClient, SOCKET_PATH } from '../../contracts/live.js';
import { until } from '../../contracts/testing/until.js';
import { startEmbeddedMail } from '../../embedded/mail/start-embedded-mail.js';
import type { EmbeddedPaymentsOptions } from '../../embedded/payments/start-embedded-payments.js';
import { EventLog } from '../../event-log/event-log.js';
import { Runner } from '../../projections/src/runner.js';
import { allViews } from '../../projections/src/views/all-views.js';
import { Listener } from '../src/platform/listener.store.js';
import { ADMIN_PASSWORD, type RunningApi, type Stores, startApi, startStores } from './api-under-test.js';
import type { EmbeddedMail } from './mails.js';
import { ACCOUNT, type EmbeddedPayments, Payer, startGateway } from './payer.js';
import { type ApiResponse, Visitor } from './visitor.js';

export type LiveSocket = Socket<ServerToClient, ClientToServer>;

export interface Person {
  id: string;
  gamerTag: string;
  refCode: string;
  visitor: Visitor;
}

/** Parts that a test starts beside the api. */
interface Parts {
  /** Opens the stores, which the application closes; by default empty ones of its own. */
  stores?: () => Stores | Promise<Stores>;
  /** False leaves out the worker, so that the tables stay empty. */
  worker?: boolean;
  mail?: boolean;
  payments?: Partial<EmbeddedPaymentsOptions>;
}

type Environment = NodeJS.ProcessEnv | (() => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>);

/** Both stores, one or more api nodes and the worker, for tests over HTTP and sockets. Its fields are filled when it starts. */
export class WholeApplication {
  readonly stores = {} as Stores;
  readonly api = {} as RunningApi;
  readonly mail = {} as EmbeddedMail;
  readonly gateway = {} as EmbeddedPayments;
  readonly payer = new Payer(this.gateway);
  readonly workerFailures: Error[] = [];
  private readonly closing: (() => unknown)[] = [];
  worker: Runner | undefined;
  private giver: Person | undefined;

  static async start(env: Environment = {}, parts: Parts = {}): Promise<WholeApplication> {
    const application = new WholeApplication();
    await application.open(env, parts);
    return application;
  }

  /** Starts before the tests of the file, or of the `describe`, and is closed after them. */
  static forTests(env: Environment = {}, parts: Parts = {}): WholeApplication {
    const application = new WholeApplication();
    beforeAll(() => application.open(env, parts));
    afterAll(() => application.close());
    return application;
  }

  private async open(
    env: Environment,
    { stores = startStores, worker = true, mail = false, payments }: Parts,
  ): Promise<void> {
    const settings: NodeJS.ProcessEnv = {};
    Object.assign(this.stores, await stores());
    this.closesLater(() => this.stores.close());
    if (mail) {
      Object.assign(this.mail, await startEmbeddedMail());
      this.closesLater(() => this.mail.close());
      settings.SMTP_URL = this.mail.smtpUrl;
    }
    if (payments !== undefined) {
      Object.assign(this.gateway, await startGateway(payments));
      this.closesLater(() => this.gateway.close());
      Object.assign(settings, settingsOf(this.gateway));
    }
    Object.assign(settings, typeof env === 'function' ? await env() : env);
    Object.assign(this.api, await startApi(this.stores, settings));
    this.closesLater(() => this.api.close());
    if (!worker) return;
    await this.startWorker(settings.STREAM_PREFIX);
  }

  /** Resolves when the tables are there. */
  async startWorker(streamPrefix?: string): Promise<void> {
    const log = new EventLog(this.stores.eventStoreUrl, { streamPrefix });
    const worker = new Runner({
      databaseUrl: this.stores.databaseUrl,
      log,
      views: allViews,
      logger: pino({ level: 'silent' }),
      onFatal: (error) => this.workerFailures.push(error),
    });
    this.worker = worker;
    this.closesLater(() => log.close());
    this.closesLater(() => worker.stop());
    worker.start();
    await until(async () => (await this.visitor().get('/api/stats')).status === 200);
  }

  /** Called before the parts that were opened earlier are closed. */
  closesLater(close: () => unknown): void {
    this.closing.push(close);
  }

  async startAnotherNode(env: NodeJS.ProcessEnv = {}): Promise<RunningApi> {
    const node = await startApi(this.stores, env);
    this.closesLater(() => node.close());
    return node;
  }

  /** A second node with the same stores, before the tests. */
  anotherNodeForTests(env: Environment = {}): RunningApi {
    const node = {} as RunningApi;
    beforeAll(async () => {
      Object.assign(node, await this.startAnotherNode(typeof env === 'function' ? await env() : env));
    });
    return node;
  }

  async close(): Promise<void> {
    while (this.closing.length > 0) await this.closing.pop()?.();
    if (this.workerFailures.length > 0) throw new AggregateError(this.workerFailures, 'the worker failed');
  }

  /** The api's connections to Postgres. */
  get database(): Pool {
    return this.api.app.get(Pool);
  }

  adminForTests(): Person {
    const admin = { gamerTag: 'admin', visitor: this.visitor() } as Person;
    beforeAll(async () => {
      Object.assign(admin, await this.admin(admin.visitor));
    });
    return admin;
  }

  /** A gamer who registers before the tests, and is given these cents. */
  gamerForTests(gamerTag: string, purchaseBalanceCents = 0, totalWinningsCents = 0): Person {
    const gamer = { gamerTag, visitor: this.visitor() } as Person;
    beforeAll(async () => {
      Object.assign(gamer, await this.register(gamerTag, null, gamer.visitor));
      if (purchaseBalanceCents + totalWinningsCents > 0)
        await this.give(gamer, purchaseBalanceCents, totalWinningsCents);
    });
    return gamer;
  }

  visitor(headers: Record<string, string> = {}): Visitor {
    return new Visitor(this.api, headers);
  }

  async admin(visitor = this.visitor()): Promise<Person> {
    const { status, body } = await visitor.command<GamerSession>('POST', '/api/login', {
      username: 'admin',
      password: ADMIN_PASSWORD,
    });
    if (status !== 200) throw new Error(`the admin could not log in: ${status} ${JSON.stringify(body)}`);
    return { id: body.id, gamerTag: body.gamerTag, refCode: body.refCode, visitor };
  }

  async register(gamerTag: string, referralCode: string | null = null, visitor = this.visitor()): Promise<Person> {
    const body = { username: gamerTag, email: `${gamerTag}@example.com`, password: 'open sesame', referralCode };
    const response = await visitor.command<GamerSession & { error?: string }>('POST', '/api/register', body);
    if (response.status !== 201) throw new Error(`${gamerTag} could not register: ${response.body.error}`);
    return { id: response.body.id, gamerTag, refCode: response.body.refCode, visitor };
  }

  /** The admin adds to a gamer's balances. */
  async give({ id }: Person, purchaseBalanceCents: number, totalWinningsCents = 0, reason = 'a gift') {
    this.giver ??= await this.admin();
    const gift = { purchaseBalanceCents, totalWinningsCents, reason };
    const response = await this.giver.visitor.command('POST', `/api/admin/mini/gamers/${id}/adjust`, gift);
    if (response.status !== 200) throw new Error(`no gift: ${response.status} ${JSON.stringify(response.body)}`);
    return response;
  }

  async eventsOf(stream: string): Promise<Recorded[]> {
    const events: Recorded[] = [];
    for await (const recorded of this.api.app.get(EventLog).readStream(stream)) events.push(recorded);
    return events;
  }

  /** Waits until this node knows every change of sessions and accounts that was made before. */
  async untilNotified(): Promise<void> {
    const nowMonotonicMs = performance.now();
    await until(() => this.api.app.get(Listener).completeUntilMonotonicMs >= nowMonotonicMs);
  }

  /** Waits for the phase of the game. */
  async reached(phase: GamePhase): Promise<void> {
    const state = () => this.visitor().get<StateResponse>('/api/state');
    await until(state, ({ body }) => body.currentGame.gameState === phase);
  }

  /** Connects with a visitor's session, and waits for the first message: the server has then set the socket up. */
  async socket(visitor?: Visitor, url = this.api.url): Promise<LiveSocket> {
    const session = visitor?.cookie('omni.sid');
    const socket = openSocket(url, { origin: url, ...(session && { cookie: `omni.sid=${session}` }) });
    this.closesLater(() => socket.close());
    if (!(await isAccepted(socket))) throw new Error('the socket was refused');
    return socket;
  }
}

export const openSocket = (url: string, extraHeaders: Record<string, string> = { origin: url }, more: object = {}) =>
  io(url, { path: SOCKET_PATH, extraHeaders, reconnection: false, forceNew: true, ...more }) as LiveSocket;

/** False when the server refused the connection. */
export const isAccepted = (socket: LiveSocket): Promise<boolean> =>
  new Promise((resolve) => {
    socket.once('state:update', () => resolve(true));
    socket.once('connect_error', () => resolve(false));
  });

/** An application, its admin and two gamers, before the tests of the file. */
export function withAliceAndBob(env: Environment = {}) {
  const application = WholeApplication.forTests(env);
  return {
    application,
    admin: application.adminForTests(),
    alice: application.gamerForTests('alice'),
    bob: application.gamerForTests('bob'),
  };
}

/** The environment of an api that uses this gateway. */
export const settingsOf = (gateway: Pick<EmbeddedPayments, 'apiUrl'>): NodeJS.ProcessEnv => ({
  PAYMENTS_API_URL: gateway.apiUrl,
  PAYMENTS_API_KEY: ACCOUNT.apiKey,
  PAYMENTS_IPN_SECRET: ACCOUNT.ipnSecret,
  PAYMENTS_EMAIL: ACCOUNT.email,
  PAYMENTS_PASSWORD: ACCOUNT.password,
});

/** Reads like the client: a query after a command carries the command's position. */
export async function readAfter<T>(visitor: Visitor, written: ApiResponse<unknown>, path: string): Promise<T> {
  const position = written.headers.get('x-position');
  if (position === null) throw new Error(`no X-Position came with ${JSON.stringify(written.body)}`);
  const response = await visitor.get<T>(path, { 'x-after-position': position });
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`);
  const read = response.headers.get('x-position');
  if (read !== null && BigInt(read) < BigInt(position)) throw new Error(`${path}: read at ${read}, before ${position}`);
  return response.body;
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
