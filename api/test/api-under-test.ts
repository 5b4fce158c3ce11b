import { type ChildProcess, spawn } from 'node:child_process';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { until } from '../../contracts/testing/until.js';
import { startTestEventStore } from '../../embedded/event-store/testing/test-event-store.js';
import { builtFile } from '../../embedded/launcher/built-files.js';
import { createTestDatabase } from '../../embedded/postgres/testing/test-database.js';
import { AppModule } from '../src/app.module.js';
import { configureHttp, httpAdapter } from '../src/configure-http.js';
import { createLogger, NestLogger } from '../src/http/logging.js';
import { Background } from '../src/platform/background.js';
import { Clock } from '../src/platform/clock.js';
import { Config } from '../src/platform/config.js';
import { PriorityPool } from '../src/platform/priority-pool.store.js';
import { closeGently } from '../src/stop-on-signals.js';

export const ADMIN_PASSWORD = 'correct horse battery';
export const SESSION_SECRET = 'a secret that only tests know';

export interface Stores {
  databaseUrl: string;
  eventStoreUrl: string;
  close(): Promise<void>;
}

export async function startStores(): Promise<Stores> {
  const [database, eventStore] = await Promise.all([createTestDatabase(), startTestEventStore()]);
  return {
    databaseUrl: database.url,
    eventStoreUrl: eventStore.connectionString,
    close: async () => {
      await eventStore.close();
      await database.drop();
    },
  };
}

const settingsFor = ({ databaseUrl, eventStoreUrl }: Stores) => ({
  DATABASE_URL: databaseUrl,
  EVENT_STORE_URL: eventStoreUrl,
  SESSION_SECRET,
  ADMIN_PASSWORD,
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'silent',
});

/** Starts the built api as a process of its own, which can be stopped or killed. Resolves when it answers. */
export async function spawnApi(stores: Stores, url: string, more: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
  const env = { ...process.env, ...settingsFor(stores), PORT: new URL(url).port, ...more };
  const node = spawn(process.execPath, [builtFile('api/src/main.js')], { env, stdio: 'inherit' });
  await until(() => isOk(`${url}/api/health/live`));
  return node;
}

/** Whether the address answers, and with a success. */
export const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

export interface RunningApi {
  url: string;
  app: NestFastifyApplication;
  close(): Promise<void>;
}

/** The whole api in this process, on a free port. It trusts one proxy, so that tests can set the client's address. */
export async function startApi(stores: Stores, env: NodeJS.ProcessEnv = {}, clock?: Clock): Promise<RunningApi> {
  const config = new Config({
    ...settingsFor(stores),
    TRUST_PROXY: '1',
    ...env,
  });
  const builder = Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(Config)
    .useValue(config)
    .setLogger(new NestLogger(createLogger(config.logLevel)));
  const factory = (pool: PriorityPool, background: Background) => clock?.compareWithPostgres(pool, background);
  if (clock) builder.overrideProvider(Clock).useFactory({ factory, inject: [PriorityPool, Background] });
  const testing = await builder.compile();
  const app = testing.createNestApplication<NestFastifyApplication>(httpAdapter(config), { bodyParser: false });
  configureHttp(app);
  try {
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    await closeGently(app, 0);
    throw error;
  }
  return { url: await app.getUrl(), app, close: () => closeGently(app, 0) };
}
