import { readFile } from 'node:fs/promises';
import { portSetting, requiredSetting, runStandIn } from '../shared/stand-in-process.js';
import { startEventStore } from './start-event-store.js';
import type { UserAccounts } from './wire/access-control.js';

const SCAVENGE_INTERVAL_MS = 10_000;

/** The event store as a process. Its settings: see the README. */
await runStandIn(
  'event store',
  async () =>
    startEventStore({
      databaseUrl: requiredSetting('EVENT_STORE_DATABASE_URL'),
      host: process.env.EVENT_STORE_HOST || '127.0.0.1',
      port: portSetting('EVENT_STORE_PORT', 2113),
      secure: await secureOptions(),
      scavengeIntervalMs: SCAVENGE_INTERVAL_MS,
      onFailure(error) {
        console.error(`The event store stops: ${error.message}`);
        process.exit(1);
      },
    }),
  ({ connectionString }) => ({ connectionString }),
);

async function secureOptions() {
  if (process.env.EVENT_STORE_TLS_CERT_FILE === undefined) return undefined;
  const [cert, key, users] = await Promise.all([
    readFile(requiredSetting('EVENT_STORE_TLS_CERT_FILE')),
    readFile(requiredSetting('EVENT_STORE_TLS_KEY_FILE')),
    readFile(requiredSetting('EVENT_STORE_USERS_FILE'), 'utf8'),
  ]);
  return { tls: { cert, key }, users: readUsers(users) };
}

/** JSON.parse's own message would show parts of the file, which holds passwords. */
function parseUsers(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error('EVENT_STORE_USERS_FILE is not JSON.');
  }
}

function readUsers(json: string): UserAccounts {
  const users = parseUsers(json);
  if (typeof users !== 'object' || users === null) throw new Error('EVENT_STORE_USERS_FILE must hold an object.');
  for (const [login, account] of Object.entries(users)) {
    const { password, groups } = account ?? {};
    const areGroupsValid = Array.isArray(groups) && groups.every((group) => typeof group === 'string');
    if (typeof password !== 'string' || !areGroupsValid)
      throw new Error(`The user ${login} needs a password and groups.`);
  }
  return users as UserAccounts;
}
