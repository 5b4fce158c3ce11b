import { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { startEventStore } from '../../../embedded/event-store/start-event-store.js';
import { createTestDatabase } from '../../../embedded/postgres/test-database.js';
import { AppModule } from '../app.module.js';
import { Config } from '../config.js';
import { createLogger, NestLogger } from '../http/logging.js';
import { setUpHttp } from '../http/set-up.js';
import { closeGently } from '../stop-on-signals.js';

export const ADMIN_PASSWORD = 'correct horse battery';

export interface Stores {
  databaseUrl: string;
  eventStoreUrl: string;
  close(): Promise<void>;
}

/** An empty database and an empty event store of the test's own. */
export async function startStores(): Promise<Stores> {
  const [database, events] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const eventStore = await startEventStore({ databaseUrl: events.url });
  return {
    databaseUrl: database.url,
    eventStoreUrl: eventStore.connectionString,
    close: async () => {
      await eventStore.close();
      await Promise.all([database.drop(), events.drop()]);
    },
  };
}

export interface RunningApi {
  url: string;
  app: NestExpressApplication;
  close(): Promise<void>;
}

/** The whole api in this process, on a free port; one proxy in front is believed, so that a test can come from anywhere. */
export async function startApi(stores: Stores, env: NodeJS.ProcessEnv = {}): Promise<RunningApi> {
  const config = new Config({
    DATABASE_URL: stores.databaseUrl,
    EVENT_STORE_URL: stores.eventStoreUrl,
    SESSION_SECRET: 'a secret that only tests know',
    ADMIN_PASSWORD,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    TRUST_PROXY: '1',
    ...env,
  });
  const testing = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(Config)
    .useValue(config)
    .setLogger(new NestLogger(createLogger(config.logLevel)))
    .compile();
  const app = testing.createNestApplication<NestExpressApplication>({ bodyParser: false });
  setUpHttp(app);
  try {
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    await closeGently(app, 0);
    throw error;
  }
  return { url: await app.getUrl(), app, close: () => closeGently(app, 0) };
}
