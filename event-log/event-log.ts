import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AllStreamRecordedEvent,
  type AllStreamSubscription,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type JSONType,
  jsonEvent,
  NO_STREAM,
  type RecordedEvent,
  START,
  StreamNotFoundError,
  streamNameFilter,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import type { EventMetadata } from '../contracts/events/metadata.js';
import type { OurEvent, Recorded } from '../contracts/events/recorded.js';
import { STREAM_PREFIXES } from '../contracts/streams.js';
import {
  type AppendResult,
  type ExpectedRevision,
  LogUnavailable,
  type NewEvent,
  UnknownOutcome,
  WrongExpectedRevision,
} from './event-log.types.js';
import { EVENTS_AHEAD, openEventStore } from './event-store-client.js';

/** The client waits for ever for a batch append's answer; we look in the log after this long instead. */
const APPEND_TIMEOUT_MS = 5_000;
/** A read has a deadline of 10 s, so a long stream is read in pages. */
const READ_PAGE = 4_000;
const RECONNECT_MIN_MS = 50;
const RECONNECT_MAX_MS = 2_000;

export interface FollowOptions {
  /** Events after this position; null is the beginning of the log. */
  after: string | null;
  prefixes?: readonly string[];
  /** Awaited one after another, so a slow reader slows only itself. A throw ends the following. */
  onEvent(recorded: Recorded): void | Promise<void>;
  /** Everything up to this position has been considered. */
  onCheckpoint?(position: string): void | Promise<void>;
  onCaughtUp?(): void;
  /** Contact was lost; it is being sought again. */
  onLost?(error: Error): void;
  /** onEvent or onCheckpoint threw: nothing more will be delivered. */
  onFailure(error: Error): void;
}

export interface Following {
  stop(): Promise<void>;
}

type Delivery = { event?: AllStreamRecordedEvent; checkpoint?: string; caughtUp?: true };

/** The log, and the only door to it: appends at an exact revision, reads, and following with supervision. */
export class EventLog {
  private readonly client: EventStoreDBClient;

  constructor(connectionString: string) {
    this.client = openEventStore(connectionString);
  }

  /**
   * Appends all or nothing. The stream must be at `expected` (-1: must not exist).
   * Throws WrongExpectedRevision, or UnknownOutcome when no answer came: then only the log knows.
   */
  async append(stream: string, events: NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const batch = events.map(({ id, event, metadata }) =>
      // Metadata as bytes: the client would turn its JSON into base64 and back.
      jsonEvent({ id, type: event.type, data: event.data as object as JSONType, metadata: encodeJson(metadata) }),
    );
    const expectedRevision = expected < 0 ? NO_STREAM : BigInt(expected);
    try {
      const result = await answerWithin(
        APPEND_TIMEOUT_MS,
        this.client.appendToStream(stream, batch, { expectedRevision }),
      );
      if (!result.position) throw new UnknownOutcome(`${stream}: the answer names no position`);
      return { revision: Number(result.nextExpectedRevision), position: String(result.position.commit) };
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) {
        const actual = typeof error.actualVersion === 'bigint' ? Number(error.actualVersion) : -1;
        throw new WrongExpectedRevision(stream, expected, actual);
      }
      if (isOurFault(error) || error instanceof UnknownOutcome) throw error;
      throw new UnknownOutcome(`${stream}: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Events of one stream in order. A stream that does not exist reads as empty. Throws LogUnavailable. */
  async *readStream(
    stream: string,
    options: { fromRevision?: number; maxCount?: number; backwards?: boolean } = {},
  ): AsyncIterable<Recorded> {
    let left = options.maxCount ?? Number.POSITIVE_INFINITY;
    let next: bigint | typeof START | typeof END =
      options.fromRevision === undefined ? (options.backwards ? END : START) : BigInt(options.fromRevision);
    while (left > 0) {
      const pageSize = Math.min(READ_PAGE, left);
      let seen = 0;
      try {
        const direction = options.backwards ? BACKWARDS : FORWARDS;
        const page = this.client.readStream(
          stream,
          { fromRevision: next, maxCount: pageSize, direction },
          EVENTS_AHEAD,
        );
        try {
          for await (const { event } of page.iterator({ destroyOnReturn: false })) {
            if (!event) continue;
            seen += 1;
            next = options.backwards ? event.revision - 1n : event.revision + 1n;
            yield toRecorded(event);
          }
        } finally {
          // A reader who stops early leaves the rest to this: the client is never done with a page that is half read.
          page.resume();
        }
      } catch (error) {
        if (error instanceof StreamNotFoundError) return;
        throw asUnavailable(stream, error);
      }
      left -= seen;
      if (seen < pageSize || (typeof next === 'bigint' && next < 0n)) return;
    }
  }

  /** The revision of a stream's last event, -1 when it has none. Throws LogUnavailable. */
  async headRevision(stream: string): Promise<number> {
    for await (const last of this.readStream(stream, { backwards: true, maxCount: 1 })) return last.revision;
    return -1;
  }

  /** Its events can no longer be read from it; scavenging takes them out of the log. Throws LogUnavailable. */
  async deleteStream(stream: string): Promise<void> {
    await this.client.deleteStream(stream).catch((error: unknown) => {
      throw asUnavailable(stream, error);
    });
  }

  /** Follows the log for as long as the process lives: a lost connection is sought again and resumed where it was. */
  follow(options: FollowOptions): Following {
    const stopping = new AbortController();
    let subscription: AllStreamSubscription | undefined;
    const run = async () => {
      let after = options.after;
      let waitMs = RECONNECT_MIN_MS;
      while (!stopping.signal.aborted) {
        subscription = this.subscribe(after, options.prefixes ?? STREAM_PREFIXES);
        try {
          for await (const delivery of subscription as AsyncIterable<Delivery>) {
            waitMs = RECONNECT_MIN_MS;
            after = (await handle(delivery, options)) ?? after;
            if (stopping.signal.aborted) return;
          }
        } catch (error) {
          if (stopping.signal.aborted) return;
          if (error instanceof HandlerFailed) return options.onFailure(error.cause as Error);
          options.onLost?.(error as Error);
        } finally {
          subscription.destroy();
          // That alone leaves the call open, and the server with a reader that never reads.
          void subscription.unsubscribe().catch(() => {});
        }
        await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
        waitMs = Math.min(waitMs * 2, RECONNECT_MAX_MS);
      }
    };
    const running = run();
    return {
      stop: async () => {
        stopping.abort();
        subscription?.destroy();
        await running;
      },
    };
  }

  async close(): Promise<void> {
    await this.client.dispose();
  }

  private subscribe(after: string | null, prefixes: readonly string[]): AllStreamSubscription {
    const filter = streamNameFilter({
      prefixes: [...prefixes],
      // The callback runs when the message arrives, events wait in the stream's buffer: pushed behind them, it keeps its place.
      checkpointReached: async (source, position) => {
        source.push({ checkpoint: String(position.commit) });
      },
    });
    const fromPosition = after === null ? START : { commit: BigInt(after), prepare: BigInt(after) };
    const subscription: AllStreamSubscription = this.client.subscribeToAll({ fromPosition, filter }, EVENTS_AHEAD);
    subscription.on('caughtUp', () => subscription.push({ caughtUp: true }));
    // Iteration rejects with the error too; this keeps one that comes between two iterations from being uncaught.
    subscription.on('error', () => {});
    return subscription;
  }
}

const utf8 = new TextEncoder();
const encodeJson = (value: unknown): Uint8Array => utf8.encode(JSON.stringify(value));

class HandlerFailed extends Error {}

async function handle(delivery: Delivery, options: FollowOptions): Promise<string | null> {
  try {
    if (delivery.caughtUp) {
      options.onCaughtUp?.();
      return null;
    }
    if (delivery.checkpoint !== undefined) {
      await options.onCheckpoint?.(delivery.checkpoint);
      return delivery.checkpoint;
    }
    if (!delivery.event) return null;
    const recorded = toRecorded(delivery.event);
    await options.onEvent(recorded);
    return recorded.position;
  } catch (error) {
    throw new HandlerFailed('a follower threw', { cause: error });
  }
}

function toRecorded(event: AllStreamRecordedEvent | RecordedEvent): Recorded {
  if (!event.position) throw new Error(`${event.streamId}@${event.revision} has no position`);
  return {
    id: event.id,
    stream: event.streamId,
    revision: Number(event.revision),
    position: String(event.position.commit),
    event: { type: event.type, data: event.data } as OurEvent,
    metadata: event.metadata as unknown as EventMetadata,
  };
}

async function answerWithin<T>(timeoutMs: number, answer: Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const timeout = sleep(timeoutMs, undefined, { signal: waiting.signal }).then(() => {
    throw new UnknownOutcome(`no answer within ${timeoutMs} ms`);
  });
  // Whichever loses must not surface as an unhandled rejection.
  timeout.catch(() => {});
  answer.catch(() => {});
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    waiting.abort();
  }
}

/** Refusals of the request itself: repeating it cannot help, and nothing was appended. */
const OUR_FAULT = new Set([
  'invalid-argument',
  'maximum-append-size-exceeded',
  'stream-deleted',
  'access-denied',
  'missing-required-metadata-property',
]);

const isOurFault = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && OUR_FAULT.has(String(error.type));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const asUnavailable = (stream: string, error: unknown): Error =>
  isOurFault(error) ? (error as Error) : new LogUnavailable(`${stream}: ${messageOf(error)}`, { cause: error });
