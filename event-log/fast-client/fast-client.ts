import { EventStoreDBClient } from '@eventstore/db-client';
import type { ChannelOptions } from '@grpc/grpc-js';
import { decodeReadsDirectly } from './read-decoding.js';

export const SHORTCUTS = ['read decoding', 'read window'] as const;
export type Shortcut = (typeof SHORTCUTS)[number];

/** How many bytes of a read the server may send before the client has taken them. */
const READ_WINDOW_BYTES = 512 * 1024;

/** The client's private parts that the read window needs. */
interface ClientInternals {
  createChannel(): Promise<{ internalChannel: { options: ChannelOptions } }>;
}

/** Opens the event store's own client with shortcuts; README.md says what each saves. */
export function openFastClient(
  connectionString: string,
  shortcuts: readonly Shortcut[] = SHORTCUTS,
): EventStoreDBClient {
  if (shortcuts.includes('read decoding')) decodeReadsDirectly();
  const client = EventStoreDBClient.connectionString(withShortGossip(connectionString));
  if (shortcuts.includes('read window')) widenReadWindow(client);
  return client;
}

/** A frozen node of a cluster must not hold up the search for the leader: the client would wait 5 s for its answer. */
function withShortGossip(connectionString: string): string {
  if (/[?&]gossipTimeout=/i.test(connectionString)) return connectionString;
  return `${connectionString}${connectionString.includes('?') ? '&' : '?'}gossipTimeout=1`;
}

function widenReadWindow(client: EventStoreDBClient): void {
  const internals = client as unknown as ClientInternals;
  const { createChannel } = internals;
  internals.createChannel = async () => {
    const channel = await createChannel();
    // The channel reads its options when it first connects.
    channel.internalChannel.options['grpc-node.flow_control_window'] = READ_WINDOW_BYTES;
    return channel;
  };
}
