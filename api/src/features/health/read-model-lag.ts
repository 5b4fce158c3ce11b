import type { ReadCheckpoint } from '../../http/read-checkpoint.queries.js';
import type { Ledger } from '../../ledger/ledger.js';

/** At one sample a second: a quarter of an hour. Beyond it, each sample replaces the newest. */
const MAX_SAMPLES = 900;

/** Measures how long the tables have been behind the ledger, by sampling both. */
export class ReadModelLag {
  /** Ledger positions that the tables have not reached, oldest first. */
  private readonly unreached: { position: bigint; seenAtMs: number }[] = [];

  constructor(
    private readonly ledger: Pick<Ledger, 'committed'>,
    private readonly checkpoint: Pick<ReadCheckpoint, 'position'>,
  ) {}

  /** To be called about every second; events between two samples count from the second sample. */
  sample(nowMs: number): void {
    const position = BigInt(this.ledger.committed.position);
    if (position === (this.unreached.at(-1)?.position ?? -1n)) return;
    if (this.unreached.length >= MAX_SAMPLES) this.unreached.pop();
    this.unreached.push({ position, seenAtMs: nowMs });
    this.dropReached();
  }

  /** Milliseconds since the oldest event that the tables lack was seen; 0 when they lack none. */
  behindMs(nowMs: number): number {
    this.sample(nowMs);
    this.dropReached();
    const [oldest] = this.unreached;
    return oldest === undefined ? 0 : nowMs - oldest.seenAtMs;
  }

  private dropReached(): void {
    const reached = BigInt(this.checkpoint.position ?? -1);
    while (this.unreached[0] && this.unreached[0].position <= reached) this.unreached.shift();
  }
}
