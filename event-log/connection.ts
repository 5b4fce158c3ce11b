import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStoreDBClient } from '@eventstore/db-client';
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Channel } from '@grpc/grpc-js';
import { alignedInterval } from './aligned-interval.js';
import { LogUnavailable } from './event-log.types.js';

/** While an answer is awaited, the connection checks this often whether the server still sends anything. */
const CHECK_INTERVAL_MS = 500;
/** Silent checks after which the connection requests the server's features, a cheap request that a slow server answers too. */
const SILENT_CHECKS_BEFORE_PROBE = 2;
/** Silent checks (2.5 s) after which the channel is dropped. Checks are counted, not time: a busy process is not a silent server. */
const SILENT_CHECKS_BEFORE_DROP = 5;

const DISPOSE_TIMEOUT_MS = 1_000;

type FeaturesClient = InstanceType<typeof features.ServerFeaturesClient>;

interface ClientInternals {
  getChannel(): Promise<Channel>;
  getGRPCClient(type: typeof features.ServerFeaturesClient, name: string): Promise<FeaturesClient>;
  handleError(...failure: unknown[]): Promise<void>;
}

/** The server sent nothing for 2.5 s while an answer was awaited. */
export class ServerSilent extends LogUnavailable {}

/** An answer or a stream of events that is awaited from the server. Close it when it is awaited no longer. */
export interface Awaited {
  readonly client: EventStoreDBClient;
  /** Aborted with ServerSilent when the channel is dropped: the answer will not come. */
  readonly dropped: AbortSignal;
  /** Reports that the server sent something. */
  recordAnswer(): void;
  close(): void;
}

/** Holds the client, and replaces it when the server falls silent: a frozen leader keeps its connections open. */
export class Connection {
  private session: Session;

  /** Throws the errors of `openClient`, which only the first call can throw. */
  constructor(private readonly openClient: () => EventStoreDBClient) {
    this.session = this.openSession();
  }

  begin(): Awaited {
    return this.session.begin();
  }

  /** Returns the call's answer. Throws its error, ServerSilent, or the `onTimeout` error after the timeout. */
  async call<T>(
    run: (client: EventStoreDBClient) => Promise<T>,
    timeoutMs: number,
    onTimeout: () => Error,
  ): Promise<T> {
    const awaited = this.begin();
    try {
      const answer = await withLimits(run(awaited.client), { signal: awaited.dropped, timeoutMs, onTimeout });
      awaited.recordAnswer();
      return answer;
    } finally {
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
  private readonly dropping = new AbortController();
  private awaited = 0;
  private wasUsed = false;
  private silentChecks = 0;
  private stopChecking = (): void => {};

  constructor(
    private readonly client: EventStoreDBClient,
    private readonly onDrop: () => void,
  ) {
    // One listener for each open call, and any number of calls may be open. Node warns above 10 by default.
    setMaxListeners(0, this.dropping.signal);
    // The client does not await this, and an unhandled rejection ends the process. The failed call reports it.
    const { handleError } = this.internals;
    this.internals.handleError = (...failure) => handleError(...failure).catch(() => {});
  }

  begin(): Awaited {
    this.awaited += 1;
    this.wasUsed = true;
    if (this.awaited === 1) this.startChecking();
    let isOpen = true;
    return {
      client: this.client,
      dropped: this.dropping.signal,
      recordAnswer: () => {
        this.silentChecks = 0;
      },
      close: () => {
        if (isOpen) this.awaited -= 1;
        isOpen = false;
        if (this.awaited === 0) this.stopChecking();
      },
    };
  }

  /** Ends every open call, and the channel. */
  async end(): Promise<void> {
    this.stopChecking();
    // With a time limit, because the client waits for calls that it never finished reading.
    await Promise.race([this.client.dispose(), sleep(DISPOSE_TIMEOUT_MS, undefined, { ref: false })]);
    // Not awaited, because the client may still be searching for a server.
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
    this.dropping.abort(new ServerSilent('the event store did not answer for 2.5 s'));
    void this.end().catch(() => {});
  }

  private async probe(): Promise<void> {
    try {
      const client = await this.internals.getGRPCClient(features.ServerFeaturesClient, 'probe');
      client.getSupportedMethods(new shared.Empty(), () => {
        // An error is an answer too: the awaited call gets the same error itself.
        this.silentChecks = 0;
      });
    } catch {
      // No channel could be made: the awaited call fails with the same error.
    }
  }
}

/** Settles like the promise, or rejects when the signal is aborted or the time is over. */
export async function withLimits<T>(
  promise: Promise<T>,
  { signal, timeoutMs, onTimeout }: { signal: AbortSignal; timeoutMs: number; onTimeout: () => Error },
): Promise<T> {
  let stopWaiting = () => {};
  const limits = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason as Error);
    const timer = setTimeout(() => reject(onTimeout()), timeoutMs);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    stopWaiting = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
  });
  try {
    return await Promise.race([promise, limits]);
  } finally {
    stopWaiting();
  }
}
