import type { ReadCheckpoint } from '../http/checkpoint.queries.js';
import type { Ledger } from '../ledger/ledger.js';

/** Looks that are remembered: at one a second a quarter of an hour. Beyond it only the newest is replaced. */
const MAX_LOOKS = 900;

/** How long the tables have been behind the ledger, by looking at both now and then. */
export class ReadModelLag {
  /** What the tables have not reached yet, oldest first. */
  private readonly unreached: { position: bigint; seenAtMs: number }[] = [];

  constructor(
    private readonly ledger: Pick<Ledger, 'committed'>,
    private readonly checkpoint: Pick<ReadCheckpoint, 'position'>,
  ) {}

  /** To be called every second or so: what comes between two looks is as old as the second. */
  look(nowMs: number): void {
    const position = BigInt(this.ledger.committed.position);
    if (position === (this.unreached.at(-1)?.position ?? -1n)) return;
    if (this.unreached.length >= MAX_LOOKS) this.unreached.pop();
    this.unreached.push({ position, seenAtMs: nowMs });
    this.forgetReached();
  }

  /** Milliseconds since the oldest event that the tables lack was seen; 0 when they lack none. */
  behindMs(nowMs: number): number {
    this.look(nowMs);
    this.forgetReached();
    const [oldest] = this.unreached;
    return oldest === undefined ? 0 : nowMs - oldest.seenAtMs;
  }

  private forgetReached(): void {
    const reached = BigInt(this.checkpoint.position ?? -1);
    while (this.unreached[0] && this.unreached[0].position <= reached) this.unreached.shift();
  }
}
