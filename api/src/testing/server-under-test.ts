import { pino } from 'pino';
import type { GamerSession } from '../../../contracts/http/accounts.js';
import { EventLog } from '../../../event-log/event-log.js';
import { Runner } from '../../../projections/src/runner.js';
import { allViews } from '../../../projections/src/views/all-views.js';
import { ADMIN_PASSWORD, type RunningApi, type Stores, startApi, startStores } from './api-under-test.js';
import { type Answer, Visitor } from './visitor.js';

export const PASSWORD = 'quite unusual';

/** A gamer at their browser. */
export interface Person {
  id: string;
  refCode: string;
  visitor: Visitor;
}

/** The whole server in this process: api, worker and stores of its own, with the admin logged in. */
export class ServerUnderTest {
  private constructor(
    readonly stores: Stores,
    readonly api: RunningApi,
    readonly log: EventLog,
    private readonly worker: Runner,
    readonly admin: Visitor,
    /** Why the worker ended, should it have. */
    readonly failures: readonly Error[],
  ) {}

  static async start(env: NodeJS.ProcessEnv = {}): Promise<ServerUnderTest> {
    const stores = await startStores();
    const api = await startApi(stores, env);
    const log = new EventLog(stores.eventStoreUrl);
    const failures: Error[] = [];
    const worker = startWorker(stores, log, failures);
    const admin = new Visitor(api.url);
    const server = new ServerUnderTest(stores, api, log, worker, admin, failures);
    while ((await admin.get('/api/stats')).status !== 200) await new Promise((go) => setTimeout(go, 20));
    const answer = await admin.post('/api/login', { username: 'admin', password: ADMIN_PASSWORD });
    if (answer.status !== 200) throw new Error(`the admin was not let in: ${JSON.stringify(answer.body)}`);
    return server;
  }

  async close(): Promise<void> {
    await this.worker.stop();
    await this.log.close();
    await this.api.close();
    await this.stores.close();
  }

  async register(username: string, referralCode: string | null = null): Promise<Person> {
    const visitor = new Visitor(this.api.url);
    const form = { username, email: `${username}@example.com`, password: PASSWORD, referralCode };
    const { status, body } = await visitor.post<GamerSession>('/api/register', form);
    if (status !== 201) throw new Error(`${username} was not registered: ${JSON.stringify(body)}`);
    return { id: body.id, refCode: body.refCode, visitor };
  }

  /** A fresh browser of someone who has an account. */
  async logIn(username: string, password = PASSWORD): Promise<Visitor> {
    const visitor = new Visitor(this.api.url);
    const { status } = await visitor.post('/api/login', { username, password });
    if (status !== 200) throw new Error(`${username} was not let in`);
    return visitor;
  }
}

/** As the client does: a query after a command carries the command's position. */
export async function readAfter<T>(visitor: Visitor, written: { headers: Headers }, path: string): Promise<T> {
  const position = written.headers.get('x-position') ?? '';
  const answer: Answer<T> = await visitor.get<T>(path, { 'x-after-position': position });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

function startWorker({ databaseUrl }: Stores, log: EventLog, failures: Error[]): Runner {
  const logger = pino({ level: 'silent' });
  const worker = new Runner({ databaseUrl, log, views: allViews, logger, onFatal: (error) => failures.push(error) });
  worker.start();
  return worker;
}
