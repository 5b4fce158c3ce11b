import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { untilMultipleMs } from '../../../event-log/timers.js';
import type { LedgerLog } from './append-until-known.js';
import { type CommittedEvent, LedgerBroken, type LedgerReplica } from './ledger-replica.js';

/** How often a node reads the log while another is alive. A successful append counts as a read: no other node can have written. */
const INTERVAL_MS = 50;
/** While no other node is alive, the log is read only to know that it answers, together with this process's other repeated tasks. */
const ALONE_INTERVAL_MS = 1_000;
const EVENTS_AT_ONCE = 1_000;

export class CatchUp {
  /** True while no other node is alive that could append. A wrong value costs time only: appends expect a revision. */
  isAlone = false;
  contactAtMs = 0;
  private requests: (() => void)[] = [];

  /** @param onEvents called with events of other nodes, in log order, once the state has them */
  constructor(
    private readonly replica: LedgerReplica,
    private readonly log: Pick<LedgerLog, 'readStream'>,
    private readonly clock: { now(): number },
    private readonly onEvents: (committed: readonly CommittedEvent[]) => void,
  ) {}

  /** Resolves after the first successful read that begins after this call. */
  request(): Promise<void> {
    return new Promise((resolve) => this.requests.push(resolve));
  }

  get isRequested(): boolean {
    return this.requests.length > 0;
  }

  /** Milliseconds until the next read; 0 or less when it is due. */
  get dueInMs(): number {
    const passedMs = this.clock.now() - this.contactAtMs;
    // A corrected clock may be behind the time of the last contact.
    if (passedMs < 0) return 0;
    if (!this.isAlone) return INTERVAL_MS - passedMs;
    // Due at once after half a second without a response; else at the next whole second.
    if (passedMs >= ALONE_INTERVAL_MS / 2) return 0;
    return untilMultipleMs(ALONE_INTERVAL_MS);
  }

  recordContact(): void {
    this.contactAtMs = this.clock.now();
  }

  /** Reads up to the end of the log. Throws LogUnavailable; LedgerBroken when an event does not fit, or an older copy was restored. */
  async read(): Promise<void> {
    const { revision, chain } = this.replica;
    const committed: CommittedEvent[] = [];
    const requested = this.requests.length;
    let hasLastEvent = revision < 0;
    try {
      for await (const one of this.log.readStream(LEDGER_STREAM, { fromRevision: Math.max(0, revision) })) {
        const recorded = one as RecordedLedgerEvent;
        if (recorded.revision === revision) {
          hasLastEvent = recorded.metadata.chain === chain;
          continue;
        }
        committed.push(this.replica.evolve(recorded));
        if (committed.length >= EVENTS_AT_ONCE) this.onEvents(committed.splice(0));
      }
      if (!hasLastEvent) throw new LedgerBroken(`the log no longer has ledger@${revision}, which this node has read`);
      this.recordContact();
    } finally {
      // Even after a failed read: events in the state will not be read again.
      if (committed.length > 0) this.onEvents(committed);
    }
    for (const resolve of this.requests.splice(0, requested)) resolve();
  }
}
