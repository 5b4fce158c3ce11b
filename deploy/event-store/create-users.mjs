/**
 * Creates the event store's users and their rights: `omni`, the api's, reads and writes; `omni-reader`, the worker's and the
 * auditor’s, only reads. Only an administrator may delete the ledger. docs/operations.md, "The event store's users".
 */
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';

const { ADMIN_URL, USERS_URL, ADMIN_PASSWORD, WRITER_PASSWORD, READER_PASSWORD, STREAM_PREFIX } = process.env;
const [ADMINS, WRITER, READER] = ['$admins', 'omni', 'omni-reader'];
const readers = [ADMINS, WRITER, READER];

async function createUser(LoginName, Password) {
  const { ok, status } = await fetch(USERS_URL, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`,
    },
    body: JSON.stringify({ LoginName, FullName: `Omni Jackpot (${LoginName})`, Groups: [LoginName], Password }),
  });
  // 409: the user exists.
  if (!ok && status !== 409) throw new Error(`the event store answered ${status} for the user ${LoginName}`);
}

await createUser(WRITER, WRITER_PASSWORD);
await createUser(READER, READER_PASSWORD);

const admin = EventStoreDBClient.connectionString(ADMIN_URL);
try {
  await admin.setStreamMetadata('$all', { acl: { readRoles: readers } });
  await admin.setStreamMetadata(`${STREAM_PREFIX ?? 'omni_'}ledger`, {
    acl: {
      readRoles: readers,
      writeRoles: [WRITER],
      deleteRoles: [ADMINS],
      metaReadRoles: readers,
      metaWriteRoles: [ADMINS],
    },
  });
  // The rights for every stream without an ACL of its own: gamer-…, payment-…, ticket-…, post-….
  const userStreams = { $r: readers, $w: [WRITER], $d: [WRITER], $mr: readers, $mw: [ADMINS] };
  const systemStreams = { $r: [ADMINS], $w: [ADMINS], $d: [ADMINS], $mr: [ADMINS], $mw: [ADMINS] };
  const data = { $userStreamAcl: userStreams, $systemStreamAcl: systemStreams };
  await admin.appendToStream('$settings', jsonEvent({ type: 'update-default-acl', data }));
} finally {
  await admin.dispose();
}
console.log(`The user ${WRITER} may read and write, ${READER} may read.`);
