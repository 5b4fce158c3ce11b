import { setTimeout as sleep } from 'node:timers/promises';
import * as eventStore from '@eventstore/db-client';
import type { Recorded } from '../contracts/events/recorded.js';
import { UnreadableEvent } from '../contracts/events/schemas.js';
import { STREAM_PREFIXES } from '../contracts/streams.js';
import { AppendCalls } from './append-calls.js';
import { Connection } from './connection.js';
import { explainFailure, openClient, readFirstEvent } from './connection-check.js';
import {
  AppendRefused,
  type AppendResult,
  type ExpectedRevision,
  LogUnavailable,
  type NewEvent,
  OtherHistory,
  UnknownOutcome,
  WrongExpectedRevision,
} from './event-log.types.js';
import type { EventVersions } from './event-versions.js';
import { openFastClient } from './fast-client.js';
import * as reads from './reads.js';
import { DEFAULT_STREAM_PREFIX } from './settings.js';

const RECONNECT_MIN_MS = 50;
const RECONNECT_MAX_MS = 500;
const REPORT_INTERVAL_MS = 30_000;
/** Enough to see that another program writes into the application's streams. */
const FOREIGN_EVENTS_KEPT = 1_000;

export interface FollowOptions {
  /** Position of the last event that was already handled; null follows from the beginning of the log. */
  after: string | null;
  /** Id of the event at that position, if known; a log with another event there is refused. */
  afterId?: string;
  /** Prefixes of the streams to follow; all of the application's when absent. */
  prefixes?: readonly string[];
  /** Called once per event, in log order, and awaited: a slow follower delays nobody else. After an error the follower stops. */
  onEvent(recorded: Recorded): void | Promise<void>;
  onCaughtUp?(): void;
  /** The connection broke; the follower reconnects by itself. Called at the first failure and then every 30 seconds. */
  onLost?(error: Error): void;
  /** onEvent threw, or the log has another history (OtherHistory); no more events will be delivered. */
  onFailure(error: Error): void;
}

export type Subscription = { stop(): Promise<void> };

/** Decides which events may be written, and is notified of those that cannot be read (event-versions.ts). */
type Fence = Pick<EventVersions, 'mayWrite' | 'report'>;

interface EventLogOptions {
  fence?: Fence;
  /** Begins each stream's name on the server (`STREAM_PREFIX`). */
  streamPrefix?: string;
  onForeign?(event: string): void;
  /** How long a read goes on trying without any event, as while a cluster elects a leader; 0 fails at once. */
  patienceMs?: number;
  /** Called at a read's first failed attempt, and then every 30 seconds. */
  onWaiting?(error: Error): void;
}

export interface ReadStreamOptions {
  fromRevision?: number;
  maxCount?: number;
  lastOnly?: boolean;
  /** Called for each event, before it is yielded or, when another program wrote it, skipped. */
  onRevision?(revision: number): void;
}

/** The one way to the event log: appends at an exact revision, reads, and follows. It adds the prefix to streams' names. */
export class EventLog {
  /** The events of other programs that were skipped in the application's streams: the first 1,000. */
  readonly foreignEvents = new Set<string>();
  /** Why this is another log than the one whose head was signed; then nothing is appended. */
  historyFault: string | null = null;
  private readonly connection: Connection;
  private readonly appends = new AppendCalls();
  private readonly names: reads.StreamNames;

  constructor(
    private readonly connectionString: string,
    private readonly options: EventLogOptions = {},
  ) {
    this.connection = new Connection(() => openClient(connectionString, openFastClient));
    const onForeign = (event: string) => {
      if (this.foreignEvents.has(event) || this.foreignEvents.size === FOREIGN_EVENTS_KEPT) return;
      this.foreignEvents.add(event);
      options.onForeign?.(event);
    };
    this.names = { prefix: options.streamPrefix ?? DEFAULT_STREAM_PREFIX, onForeign };
  }

  /** Throws InvalidSetting when the server refuses the settings, LogUnavailable when it does not respond. */
  async checkConnection(): Promise<void> {
    await this.patiently(async () => {
      try {
        await this.connection.call(readFirstEvent, (noResponse) => new LogUnavailable(noResponse));
      } catch (error) {
        throw await explainFailure(error as Error, this.connectionString);
      }
    });
  }

  /**
   * Appends all events or none, if the stream is at the expected revision. Throws WrongExpectedRevision, AppendRefused,
   * LogUnavailable for an event that not every node can read yet, or UnknownOutcome when no response came or the history is at fault.
   */
  async append(stream: string, events: NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    if (this.historyFault !== null) throw new UnknownOutcome(this.historyFault);
    for (const { event, metadata } of events) {
      const mayWrite = this.options.fence?.mayWrite(event.type, metadata.schema) ?? true;
      if (!mayWrite) throw new LogUnavailable(`not every node can read ${event.type} ${metadata.schema} yet`);
    }
    try {
      return await this.connection.call(
        (client) => this.appends.append(client, this.onServer(stream), events, expected),
        (noResponse) => new UnknownOutcome(`append to ${stream}: ${noResponse}`),
      );
    } catch (error) {
      const isKnown = error instanceof WrongExpectedRevision || error instanceof AppendRefused;
      if (isKnown || error instanceof UnknownOutcome) throw error;
      throw new UnknownOutcome(`${stream}: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Yields a stream's events; none when missing or deleted. Resumes a read that breaks midway. Throws LogUnavailable. */
  async *readStream(stream: string, options: ReadStreamOptions = {}): AsyncIterable<Recorded> {
    const { lastOnly = false } = options;
    let fromRevision: bigint | typeof eventStore.END = lastOnly ? eventStore.END : BigInt(options.fromRevision ?? 0);
    let left = lastOnly ? 1 : (options.maxCount ?? Number.MAX_SAFE_INTEGER);
    const attempts = this.newAttempts();
    while (left > 0) {
      const leftBefore = left;
      try {
        const direction: eventStore.Direction = lastOnly ? eventStore.BACKWARDS : eventStore.FORWARDS;
        const range = { fromRevision, maxCount: left, direction };
        const open = (client: eventStore.EventStoreDBClient) =>
          client.readStream(
            this.onServer(stream),
            { ...range, requiresLeader: true, ...reads.NO_DEADLINE },
            reads.EVENTS_AHEAD,
          );
        for await (const event of reads.readEvents(this.connection, open)) {
          const recorded = reads.toRecorded(event, this.names);
          left -= 1;
          options.onRevision?.(Number(event.revision));
          if (recorded) yield recorded;
          fromRevision = event.revision + 1n;
        }
        return;
      } catch (error) {
        if (error instanceof eventStore.StreamNotFoundError || error instanceof eventStore.StreamDeletedError) return;
        const mayGoOn =
          !(error instanceof UnreadableEvent) && (left !== leftBefore || (await attempts.mayRetry(error)));
        if (!mayGoOn) throw this.failureOf(stream, error);
      }
    }
  }

  /** Reads a stream with its head, at which to append: the revision of the last event, whoever wrote it, or -1. Throws LogUnavailable. */
  async readWithHead(
    stream: string,
    range: Omit<ReadStreamOptions, 'onRevision'> = {},
  ): Promise<{ events: Recorded[]; head: number }> {
    const events: Recorded[] = [];
    let head = -1;
    const onRevision = (revision: number) => {
      head = Math.max(head, revision);
    };
    for await (const recorded of this.readStream(stream, { ...range, onRevision })) events.push(recorded);
    return { events, head };
  }

  /** Returns the revision of a stream's last event, or -1 when the stream is empty. Throws LogUnavailable. */
  async headRevision(stream: string): Promise<number> {
    return (await this.readWithHead(stream, { lastOnly: true })).head;
  }

  /** Deletes a stream for ever; scavenging removes its events. Idempotent, missing or not. Throws LogUnavailable. */
  async tombstoneStream(stream: string): Promise<void> {
    try {
      await this.connection.call(
        (client) => client.tombstoneStream(this.onServer(stream)),
        (noResponse) => new LogUnavailable(noResponse),
      );
    } catch (error) {
      if (!(error instanceof eventStore.StreamDeletedError)) throw this.failureOf(stream, error);
    }
  }

  /** Yields the log's events of these prefixes, in order. Throws LogUnavailable. @param after an event's position */
  async *readAll(prefixes: readonly string[], after: string | null = null): AsyncIterable<Recorded> {
    const attempts = this.newAttempts();
    let last = after;
    for (;;) {
      try {
        for await (const next of reads.subscribe(this.connection, last, prefixes, this.names)) {
          if (next === 'caught up') return;
          last = next.position;
          attempts.succeeded();
          yield next;
        }
        throw new LogUnavailable('the server ended the read');
      } catch (error) {
        if (error instanceof UnreadableEvent || !(await attempts.mayRetry(error))) throw this.failureOf('$all', error);
      }
    }
  }

  /** Throws OtherHistory when this event is not in the log at this position; LogUnavailable. */
  async assertInLog(position: string, eventId?: string): Promise<void> {
    await this.patiently(async () => {
      try {
        await reads.assertInLog(this.connection, position, eventId);
      } catch (error) {
        throw error instanceof OtherHistory ? error : this.failureOf('$all', error);
      }
    });
  }

  /** Follows the log until it is stopped. After a lost connection it resumes after the last delivered event. */
  follow(options: FollowOptions): Subscription {
    const stopping = new AbortController();
    const following = this.followUntil(stopping.signal, options);
    return {
      stop: async () => {
        stopping.abort();
        await following;
      },
    };
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  private async patiently(call: () => Promise<void>): Promise<void> {
    const attempts = this.newAttempts();
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof LogUnavailable) || !(await attempts.mayRetry(error))) throw error;
      }
    }
  }

  private newAttempts(): Attempts {
    return new Attempts(this.options.onWaiting, this.options.patienceMs ?? 0);
  }

  private onServer(stream: string): string {
    return this.names.prefix + stream;
  }

  private failureOf(stream: string, error: unknown): Error {
    if (!(error instanceof UnreadableEvent))
      return new LogUnavailable(`${stream}: ${messageOf(error)}`, { cause: error });
    this.options.fence?.report(error);
    return error;
  }

  private async followUntil(stopping: AbortSignal, options: FollowOptions): Promise<void> {
    const { prefixes = STREAM_PREFIXES, onEvent, onCaughtUp, onLost, onFailure } = options;
    let { after, afterId } = options;
    const attempts = new Attempts(onLost);
    while (!stopping.aborted) {
      let isHandling = false;
      try {
        if (after !== null) await reads.assertInLog(this.connection, after, afterId);
        if (stopping.aborted) return;
        for await (const next of reads.subscribe(this.connection, after, prefixes, this.names, stopping)) {
          if (stopping.aborted) return;
          attempts.succeeded();
          isHandling = true;
          if (next === 'caught up') onCaughtUp?.();
          else {
            await onEvent(next);
            after = next.position;
            afterId = next.id;
          }
          isHandling = false;
        }
        throw new LogUnavailable('the server ended the subscription');
      } catch (error) {
        if (stopping.aborted) return;
        const isUnreadable = error instanceof UnreadableEvent;
        if (isUnreadable) this.options.fence?.report(error);
        if (isHandling || isUnreadable || error instanceof OtherHistory) return onFailure(error as Error);
        await attempts.mayRetry(error, stopping);
      }
    }
  }
}

/** Waits between failed attempts, and reports the first one and then one every 30 seconds. */
class Attempts {
  private failingSinceMonotonicMs: number | null = null;
  private reportDueAtMonotonicMs = 0;
  private waitMs = RECONNECT_MIN_MS;

  constructor(
    private readonly report: ((error: Error) => void) | undefined,
    private readonly patienceMs = Number.POSITIVE_INFINITY,
  ) {}

  succeeded(): void {
    this.failingSinceMonotonicMs = null;
    this.reportDueAtMonotonicMs = 0;
    this.waitMs = RECONNECT_MIN_MS;
  }

  /** Waits before another attempt. Returns false, at once, when they have failed for too long. */
  async mayRetry(error: unknown, stopping?: AbortSignal): Promise<boolean> {
    const nowMonotonicMs = performance.now();
    this.failingSinceMonotonicMs ??= nowMonotonicMs;
    if (nowMonotonicMs - this.failingSinceMonotonicMs >= this.patienceMs) return false;
    if (nowMonotonicMs >= this.reportDueAtMonotonicMs) {
      this.reportDueAtMonotonicMs = nowMonotonicMs + REPORT_INTERVAL_MS;
      this.report?.(error as Error);
    }
    await sleep(this.waitMs, undefined, { signal: stopping }).catch(() => {});
    this.waitMs = Math.min(this.waitMs * 2, RECONNECT_MAX_MS);
    return true;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
