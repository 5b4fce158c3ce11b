import { Service } from '../../deploy/testing/service.js';
import { builtFile } from '../../embedded/launcher/built-files.js';
import { ADMIN_PASSWORD, SESSION_SECRET, type Stores } from './api-under-test.js';

/** The built api in a process of its own, which can be stopped and killed. It is not started yet. */
export function apiProcess(stores: Stores, url: string, env: Record<string, string> = {}): Service {
  return new Service({
    command: [process.execPath, builtFile('api/src/main.js')],
    env: {
      DATABASE_URL: stores.databaseUrl,
      EVENT_STORE_URL: stores.eventStoreUrl,
      SESSION_SECRET,
      ADMIN_PASSWORD,
      PORT: new URL(url).port,
      LOG_LEVEL: 'silent',
      RATE_LIMITS: 'off',
      ...env,
    },
    isReady: () =>
      fetch(`${url}/api/health/live`).then(
        ({ ok }) => ok,
        () => false,
      ),
  });
}
