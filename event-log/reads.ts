import {
  type AllStreamRecordedEvent,
  type EventStoreDBClient,
  FORWARDS,
  type RecordedEvent,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import type { EventMetadata } from '../contracts/events/metadata.js';
import type { OurEvent, Recorded } from '../contracts/events/recorded.js';
import { assertReadable, UnreadableEvent } from '../contracts/events/schemas.js';
import { LEDGER_STREAM, STREAM_PREFIXES } from '../contracts/streams.js';
import type { Connection } from './connection.js';
import { LogUnavailable, OtherHistory } from './event-log.types.js';

/** Events a reader keeps ready. The client's own 16 cost a sixth more CPU time per event. */
export const EVENTS_AHEAD = { highWaterMark: 256 };
/** The client would end a read after 10 s, however it progresses. */
export const NO_DEADLINE = { deadline: Number.POSITIVE_INFINITY };
const INACTIVITY_TIMEOUT_MS = 5_000;

export interface StreamNames {
  /** Begins the name of each of the application's streams on the server, and of no other program's. */
  prefix: string;
  onForeign(event: string): void;
}

type Delivery<E> = { event?: E; caughtUp?: true };

/** The common part of the client's reads and subscriptions. */
interface DeliveryStream<E> {
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Delivery<E>>;
  resume(): unknown;
  on(name: 'error', listener: () => void): unknown;
  destroy(error?: Error): unknown;
}

interface Read<E> {
  stream: DeliveryStream<E>;
  cancel(): Promise<void>;
  inactivityTimeoutMs?: number;
}

/** Yields the events of a read call. Throws the client's errors, or LogUnavailable when no event comes. */
export const readEvents = <E extends RecordedEvent>(
  connection: Connection,
  open: (client: EventStoreDBClient) => AsyncIterable<Delivery<E>> & { cancel(): Promise<void> },
): AsyncGenerator<E, void> => {
  const openRead = (client: EventStoreDBClient): Read<E> => {
    const stream = open(client) as unknown as DeliveryStream<E> & { cancel(): Promise<void> };
    return { stream, cancel: () => stream.cancel(), inactivityTimeoutMs: INACTIVITY_TIMEOUT_MS };
  };
  return deliveries(connection, openRead, ({ event }) => event);
};

/** Yields the events after a position, 'caught up', and more; never checkpoints, unsafe to resume from. */
export function subscribe(
  connection: Connection,
  after: string | null,
  prefixes: readonly string[],
  names: StreamNames,
  signal?: AbortSignal,
): AsyncGenerator<Recorded | 'caught up', void> {
  const openSubscription = (client: EventStoreDBClient): Read<AllStreamRecordedEvent> => {
    const filter = streamNameFilter({ prefixes: prefixes.map((one) => names.prefix + one) });
    const subscription = client.subscribeToAll(
      { fromPosition: after === null ? START : toPosition(after), filter, requiresLeader: true },
      EVENTS_AHEAD,
    );
    // Pushed into the stream's buffer, 'caught up' comes after the events that wait there.
    subscription.on('caughtUp', () => subscription.push({ caughtUp: true }));
    const stop = () => void subscription.destroy();
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
    return {
      stream: subscription as unknown as DeliveryStream<AllStreamRecordedEvent>,
      cancel: () => {
        signal?.removeEventListener('abort', stop);
        return subscription.unsubscribe();
      },
    };
  };
  return deliveries(connection, openSubscription, ({ caughtUp, event }) => {
    if (caughtUp) return 'caught up';
    // A tombstone is the server's own event `$streamDeleted` in its stream.
    return event && !event.type.startsWith('$') ? toRecorded(event, names) : undefined;
  });
}

/** Throws OtherHistory for a position of another or a restored log: the server would deliver nothing up to it. */
export async function assertInLog(connection: Connection, position: string, eventId?: string): Promise<void> {
  const read = { fromPosition: toPosition(position), maxCount: 1, direction: FORWARDS, requiresLeader: true } as const;
  try {
    for await (const found of readEvents(connection, (client) => client.readAll({ ...read, ...NO_DEADLINE }))) {
      // A scavenged event leaves a gap; the read then finds a later event.
      const isOther = positionOf(found) === position && eventId !== undefined && found.id !== eventId;
      if (isOther) throw new OtherHistory(`the event at position ${position} is ${found.id}, not ${eventId}`);
      return;
    }
  } catch (error) {
    if ((error as { code?: number }).code !== status.INVALID_ARGUMENT) throw error;
    throw new OtherHistory(`no event begins at position ${position}`, { cause: error });
  }
  throw new OtherHistory(`the log ends before position ${position}`);
}

const toPosition = (position: string) => ({ commit: BigInt(position), prepare: BigInt(position) });

/** Yields `take(delivery)` unless undefined. A function: each further generator costs a tenth of the speed. */
async function* deliveries<E, T>(
  connection: Connection,
  open: (client: EventStoreDBClient) => Read<E>,
  take: (delivery: Delivery<E>) => T | undefined,
): AsyncGenerator<T, void> {
  const awaited = connection.begin();
  const { stream, cancel, inactivityTimeoutMs } = open(awaited.client);
  // The iteration rejects with an error too; this listener catches one that comes between two iterations.
  stream.on('error', () => {});
  const drop = () => stream.destroy(awaited.dropped.reason as Error);
  awaited.dropped.addEventListener('abort', drop);
  let isWaiting = true;
  let hasProgressed = false;
  const checkProgress = () => {
    if (isWaiting && !hasProgressed) stream.destroy(new LogUnavailable(`no event for ${inactivityTimeoutMs} ms`));
    hasProgressed = false;
  };
  const timer = inactivityTimeoutMs === undefined ? undefined : setInterval(checkProgress, inactivityTimeoutMs);
  timer?.unref();
  try {
    for await (const delivery of stream.iterator({ destroyOnReturn: false })) {
      awaited.recordResponse();
      isWaiting = false;
      const taken = take(delivery);
      if (taken !== undefined) yield taken;
      isWaiting = hasProgressed = true;
    }
    // The end of a read without events is a response too.
    awaited.recordResponse();
  } finally {
    clearInterval(timer);
    awaited.dropped.removeEventListener('abort', drop);
    awaited.close();
    // The client keeps a call that is not read to its end, so the rest is read, and the call is ended on the server.
    stream.resume();
    void cancel().catch(() => {});
  }
}

/**
 * Undefined for an event that another program wrote. Throws UnreadableEvent, which names the event, when another program
 * wrote it into the ledger, whose revisions have no gaps, or when this program does not know its type, version or fields.
 */
export function toRecorded(
  event: AllStreamRecordedEvent | RecordedEvent,
  { prefix, onForeign }: StreamNames,
): Recorded | undefined {
  const stream = event.streamId.slice(prefix.length);
  // The filter of a subscription knows beginnings only.
  const isOurStream = STREAM_PREFIXES.some((one) => (one === LEDGER_STREAM ? stream === one : stream.startsWith(one)));
  if (!isOurStream) return undefined;
  const name = `${event.streamId}@${event.revision}`;
  const { metadata } = event;
  if (!isObject(event.data) || !isOurMetadata(metadata)) {
    const what = `${name} (${event.type}, id ${event.id}, recorded at ${event.created.toISOString()})`;
    if (stream === LEDGER_STREAM)
      throw new UnreadableEvent(`${what} was not written by this application: docs/operations.md, "A foreign event"`);
    onForeign(what);
    return undefined;
  }
  try {
    assertReadable(event.type, event.data, metadata);
  } catch (error) {
    throw new UnreadableEvent(`${name}: ${(error as Error).message}`);
  }
  return {
    id: event.id,
    stream,
    revision: Number(event.revision),
    position: positionOf(event),
    event: { type: event.type, data: event.data } as OurEvent,
    metadata,
    dataText: (event as { dataText?: string }).dataText,
    createdAtMs: event.created.getTime(),
  };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

/** The application's mark: every event of its own carries this metadata. */
function isOurMetadata(metadata: unknown): metadata is EventMetadata {
  if (!isObject(metadata)) return false;
  const { commandId, actor, at, schema } = metadata as Partial<EventMetadata>;
  const isByActor = isObject(actor) && typeof actor.id === 'string' && typeof actor.role === 'string';
  return isByActor && typeof commandId === 'string' && Number.isSafeInteger(at) && Number.isSafeInteger(schema);
}

/** One number: commit and prepare are equal, but in explicit transactions, which no gRPC client can open. */
function positionOf({ streamId, revision, position }: AllStreamRecordedEvent | RecordedEvent): string {
  if (!position) throw new Error(`${streamId}@${revision} has no position`);
  if (position.commit !== position.prepare) throw new Error(`${streamId}@${revision} was written in a transaction`);
  return String(position.commit);
}
