/**
 * Prints what KurrentDB's client, the successor of EventStoreDB's, sees on the server that the first argument names. A process of
 * its own: the two clients' generated classes share one global name, and the second one loaded replaces the first one's.
 */
import { jsonEvent, KurrentDBClient, streamNameFilter } from '@kurrent/kurrentdb-client';

const [connectionString, stream] = process.argv.slice(2);
const client = KurrentDBClient.connectionString(connectionString.replace('esdb:', 'kurrentdb:'));
const subscribed = new Promise((resolve) => {
  const types = [];
  const subscription = client
    .subscribeToAll({ filter: streamNameFilter({ prefixes: [stream] }) })
    .on('data', async ({ event }) => {
      if (types.push(event.type) < 2) return;
      await subscription.unsubscribe();
      resolve(types);
    });
});
const read = async () => {
  const types = [];
  for await (const { event } of client.readStream(stream)) types.push(event.type);
  return types;
};
const events = ['First', 'Second'].map((type) => jsonEvent({ type, data: {} }));
const { success, nextExpectedRevision } = await client.appendToStream(stream, events, { streamState: 'no_stream' });
await client.setStreamMetadata(stream, { maxCount: 10 });
const { metadata } = await client.getStreamMetadata(stream);
const seen = {
  success,
  last: Number(nextExpectedRevision),
  metadata,
  read: await read(),
  subscribed: await subscribed,
};
await client.tombstoneStream(stream);
const afterTombstone = await read().catch((error) => error.constructor.name);
console.log(JSON.stringify({ ...seen, afterTombstone }));
await client.dispose();
