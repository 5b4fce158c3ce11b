import { readFile } from 'node:fs/promises';
import { startEventStore } from './start-event-store.js';
import type { UserAccounts } from './wire/access-control.js';

/**
 * The event store as a process. Environment: EVENT_STORE_DATABASE_URL; EVENT_STORE_HOST (127.0.0.1) and
 * EVENT_STORE_PORT (2113); for TLS, with users, EVENT_STORE_TLS_CERT_FILE, EVENT_STORE_TLS_KEY_FILE and
 * EVENT_STORE_USERS_FILE, which holds { "login": { "password": "…", "groups": ["$admins"] } }.
 */
const store = await startEventStore({
  databaseUrl: required('EVENT_STORE_DATABASE_URL'),
  host: process.env.EVENT_STORE_HOST ?? '127.0.0.1',
  port: portNumber(process.env.EVENT_STORE_PORT ?? '2113'),
  secure: await secureOptions(),
  onFailure(error) {
    console.error('The event store stops:', error);
    process.exit(1);
  },
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    store.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('The event store could not close:', error);
        process.exit(1);
      },
    );
  });
}

console.log(JSON.stringify({ ready: true, connectionString: store.connectionString }));

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} must be set.`);
  return value;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`EVENT_STORE_PORT is ${text}, no port.`);
  return port;
}

async function secureOptions() {
  if (process.env.EVENT_STORE_TLS_CERT_FILE === undefined) return undefined;
  const [cert, key, users] = await Promise.all([
    readFile(required('EVENT_STORE_TLS_CERT_FILE')),
    readFile(required('EVENT_STORE_TLS_KEY_FILE')),
    readFile(required('EVENT_STORE_USERS_FILE'), 'utf8'),
  ]);
  return { tls: { cert, key }, users: readUsers(users) };
}

function readUsers(json: string): UserAccounts {
  const users: unknown = JSON.parse(json);
  if (typeof users !== 'object' || users === null) throw new Error('The users file must hold an object.');
  for (const [login, account] of Object.entries(users)) {
    const { password, groups } = account ?? {};
    const groupsFine = Array.isArray(groups) && groups.every((group) => typeof group === 'string');
    if (typeof password !== 'string' || !groupsFine) throw new Error(`The user ${login} needs a password and groups.`);
  }
  return users as UserAccounts;
}
