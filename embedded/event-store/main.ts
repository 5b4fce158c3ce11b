import { portSetting, requiredSetting, runStandIn } from '../shared/stand-in-process.js';
import { startEventStore } from './start-event-store.js';

await runStandIn('event store', ['connectionString'], () =>
  startEventStore({
    databaseUrl: requiredSetting('EVENT_STORE_DATABASE_URL'),
    port: portSetting('EVENT_STORE_PORT', 2113),
    onFailure(error) {
      console.error(`The event store stops: ${error.message}`);
      process.exit(1);
    },
  }),
);
