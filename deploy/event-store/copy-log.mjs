/**
 * Copies the application's streams to streams of another prefix on the same server, in the order of the log, without the
 * events that other programs wrote into them: the way back after a foreign event in the ledger (docs/operations.md).
 * It may be repeated. Event ids, data and metadata stay, and so do the chain and every receipt.
 */
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';

const { EVENT_STORE_URL, STREAM_PREFIX = 'omni_', NEW_STREAM_PREFIX } = process.env;
if (!EVENT_STORE_URL || !NEW_STREAM_PREFIX) throw new Error('set EVENT_STORE_URL and NEW_STREAM_PREFIX');

const isMarked = ({ isJson, metadata }) => isJson && typeof metadata?.commandId === 'string' && metadata.schema >= 1;

const client = EventStoreDBClient.connectionString(EVENT_STORE_URL);
const lengths = new Map();
let copied = 0;
for await (const { event } of client.readAll({
  maxCount: Number.MAX_SAFE_INTEGER,
  deadline: Number.POSITIVE_INFINITY,
})) {
  if (!event?.streamId.startsWith(STREAM_PREFIX)) continue;
  const stream = event.streamId.slice(STREAM_PREFIX.length);
  const target = NEW_STREAM_PREFIX + stream;
  // An erased gamer's events stay in the whole log until it is scavenged.
  if (event.type === '$streamDeleted') await client.tombstoneStream(target);
  else if (isMarked(event)) {
    const length = lengths.get(stream) ?? 0;
    const { id, type, data, metadata } = event;
    const expectedRevision = length === 0 ? NO_STREAM : BigInt(length - 1);
    await client.appendToStream(target, jsonEvent({ id, type, data, metadata }), { expectedRevision });
    lengths.set(stream, length + 1);
    copied += 1;
  } else console.log(`Left out: ${event.streamId}@${event.revision}, ${event.type}, id ${event.id}`);
}
await client.dispose();
console.log(`${copied} events copied to ${NEW_STREAM_PREFIX}…`);
