import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { END, type EventStoreDBClient } from '@eventstore/db-client';
import type { Channel, Client } from '@grpc/grpc-js';
import { LogUnavailable } from './event-log.types.js';
import { alignedInterval, withTimeout } from './timers.js';

/** While a response is awaited, the connection checks this often whether the server still sends anything. */
const CHECK_INTERVAL_MS = 500;
/** Silent checks after which the connection reads the log's end, a cheap request that only a leader answers. */
const SILENT_CHECKS_BEFORE_PROBE = 2;
/** Silent checks (2.5 s) after which the channel is dropped. Checks are counted, not time: a busy process is not a silent server. */
const SILENT_CHECKS_BEFORE_DROP = 5;

/** Limit for one response, even while the server answers other calls. */
const RESPONSE_TIMEOUT_MS = 5_000;
const DISPOSE_TIMEOUT_MS = 1_000;

interface ClientInternals {
  getChannel(): Promise<Channel>;
  /** Begins the search for another server, if an error requires that. Open calls stay on the former channel. */
  handleError(grpc: Client, error: Error): Promise<void>;
  shouldReconnect(error: Error): [boolean, ...unknown[]];
}

/** A response or a stream of events that is awaited from the server. Close it when it is awaited no longer. */
export interface ServerCall {
  readonly client: EventStoreDBClient;
  /** Aborted with LogUnavailable when the channel is dropped: the response will not come. */
  readonly dropped: AbortSignal;
  recordResponse(): void;
  close(): void;
}

/**
 * Holds the client, and replaces it when the server falls silent: a frozen leader keeps its connections open. A leader that
 * is stopped keeps its open calls for 5 s: they end as soon as the client searches for another.
 */
export class Connection {
  private session: Session;

  /** Throws the errors of `openClient`, which only the first call can throw. */
  constructor(private readonly openClient: () => EventStoreDBClient) {
    this.session = this.openSession();
  }

  begin(): ServerCall {
    return this.session.begin();
  }

  /** Returns the call's response. Throws its error, LogUnavailable, or after 5 s the error made of the text "no response …". */
  async call<T>(run: (client: EventStoreDBClient) => Promise<T>, onTimeout: (text: string) => Error) {
    const awaited = this.begin();
    let drop = () => {};
    const dropped = new Promise<never>((_, reject) => {
      drop = () => reject(awaited.dropped.reason as Error);
      awaited.dropped.addEventListener('abort', drop);
    });
    const noResponse = () => onTimeout(`no response within ${RESPONSE_TIMEOUT_MS} ms`);
    try {
      const response = await withTimeout(Promise.race([run(awaited.client), dropped]), RESPONSE_TIMEOUT_MS, noResponse);
      awaited.recordResponse();
      return response;
    } finally {
      awaited.dropped.removeEventListener('abort', drop);
      awaited.close();
    }
  }

  async close(): Promise<void> {
    await this.session.end();
  }

  private openSession(): Session {
    return new Session(this.openClient(), () => {
      this.session = this.openSession();
    });
  }
}

/** One client from its opening to its end. */
class Session {
  private dropping = new AbortController();
  private readonly lostChannels = new WeakSet<Channel>();
  private awaited = 0;
  private wasUsed = false;
  private silentChecks = 0;
  private stopChecking = (): void => {};

  constructor(
    private readonly client: EventStoreDBClient,
    private readonly onDrop: () => void,
  ) {
    const { handleError, shouldReconnect } = this.internals;
    const handle = async (grpc: Client, error: Error) => {
      const channel = grpc.getChannel() as Channel;
      await handleError(grpc, error);
      if (this.lostChannels.has(channel) || !shouldReconnect(error)[0]) return;
      this.lostChannels.add(channel);
      this.abandonCalls(new LogUnavailable(`lost the event store: ${error.message}`));
    };
    // The client does not await this, and an unhandled rejection ends the process. The failed call reports it.
    this.internals.handleError = (grpc, error) => handle(grpc, error).catch(() => {});
  }

  begin(): ServerCall {
    this.awaited += 1;
    this.wasUsed = true;
    if (this.awaited === 1) this.startChecking();
    // One listener for each open call, and any number of calls may be open. Node warns above 10 by default.
    setMaxListeners(0, this.dropping.signal);
    let isOpen = true;
    return {
      client: this.client,
      dropped: this.dropping.signal,
      recordResponse: () => {
        this.silentChecks = 0;
      },
      close: () => {
        if (isOpen) this.awaited -= 1;
        isOpen = false;
        if (this.awaited === 0) this.stopChecking();
      },
    };
  }

  async end(): Promise<void> {
    this.stopChecking();
    // A time limit, because the client waits for calls that it never finished reading.
    await Promise.race([this.client.dispose(), sleep(DISPOSE_TIMEOUT_MS, undefined, { ref: false })]);
    // This is not awaited, because the client may still be searching for a server.
    if (this.wasUsed) {
      void this.internals.getChannel().then(
        (channel) => channel.close(),
        () => {},
      );
    }
  }

  private get internals(): ClientInternals {
    return this.client as unknown as ClientInternals;
  }

  private startChecking(): void {
    this.silentChecks = 0;
    this.stopChecking();
    this.stopChecking = alignedInterval(CHECK_INTERVAL_MS, () => this.check());
  }

  private check(): void {
    this.silentChecks += 1;
    if (this.silentChecks === SILENT_CHECKS_BEFORE_PROBE) void this.probe();
    if (this.silentChecks < SILENT_CHECKS_BEFORE_DROP) return;
    this.onDrop();
    this.abandonCalls(new LogUnavailable('the event store did not answer for 2.5 s'));
    void this.end().catch(() => {});
  }

  private abandonCalls(reason: LogUnavailable): void {
    const { dropping } = this;
    this.dropping = new AbortController();
    dropping.abort(reason);
  }

  private async probe(): Promise<void> {
    const read = this.client.readAll({ fromPosition: END, maxCount: 1, requiresLeader: true });
    read.on('error', () => {});
    try {
      for await (const _ of read);
    } catch {
      // An error is a response too. The client searches for another server if the error says that this one does not lead.
    }
    this.silentChecks = 0;
  }
}
