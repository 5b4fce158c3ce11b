/** Creates the application's user of the event store and lets it read $all: see docs/operations.md, "The event store's user". */
import { EventStoreDBClient } from '@eventstore/db-client';

const { ADMIN_URL, USERS_URL, ADMIN_PASSWORD, OMNI_PASSWORD } = process.env;

const created = await fetch(USERS_URL, {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    Authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`,
  },
  body: JSON.stringify({ LoginName: 'omni', FullName: 'Omni Jackpot', Groups: ['omni'], Password: OMNI_PASSWORD }),
});
// 409: the user exists.
if (!created.ok && created.status !== 409) throw new Error(`the event store answered ${created.status}`);

const admin = EventStoreDBClient.connectionString(ADMIN_URL);
await admin.setStreamMetadata('$all', { acl: { readRoles: ['$admins', 'omni'] } });
await admin.dispose();
console.log('The user omni may read $all.');
