import type { Ledger } from './ledger.js';
import type { LivenessStore } from './liveness.store.js';

const BEAT_INTERVAL_MS = 1_000;
/** A beat missing for longer breaks the streak: for that time this node was not alive. */
const MAX_GAP_MS = 3_000;
/** Two years: no phase lasts longer than one. */
const FORGET_AFTER_MS = 2 * 365 * 24 * 60 * 60 * 1_000;

/**
 * Knows when the game could last be played: decision 20 must tell a countdown that ended from one that nobody could
 * answer. A node is alive while it has contact with both the log and the tables (sessions live there), which it notes
 * every second; a gap of more than three seconds starts a new streak.
 */
export class Liveness {
  private aliveSince = 0;
  private lastBeatAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly nodeId: string,
    private readonly store: LivenessStore,
    private readonly ledger: Pick<Ledger, 'lastContactAt' | 'lastEventAt'>,
    private readonly now: () => number,
    private readonly onError: (error: Error) => void,
  ) {}

  start(): void {
    const beat = () => this.beat().catch(this.onError);
    this.timer = setInterval(beat, BEAT_INTERVAL_MS);
    void beat();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * When any node was last alive, as far as it matters for a deadline that has passed: now if this node was alive all
   * along; else the last note of a node that was alive before the deadline. Null while that is not certain yet.
   */
  async lastAliveAround(deadlineEpochMs: number): Promise<number | null> {
    if (!(await this.beat())) return null;
    const now = this.now();
    if (this.aliveSince <= deadlineEpochMs) return now;
    const noted = await this.store.lastAliveOfThoseSince(deadlineEpochMs);
    const lastAlive = Math.max(noted ?? 0, this.ledger.lastEventAt);
    // Another node may be alive and about to note it: an outage is certain only after its gap.
    return lastAlive < deadlineEpochMs && now - lastAlive <= MAX_GAP_MS ? null : lastAlive;
  }

  /** Notes that this node is alive; false when it has no contact with the log. */
  private async beat(): Promise<boolean> {
    const now = this.now();
    if (now - this.ledger.lastContactAt > MAX_GAP_MS) return false;
    const isNewStreak = now - this.lastBeatAt > MAX_GAP_MS;
    const aliveSince = isNewStreak ? now : this.aliveSince;
    // A streak of its own for each: the end of the one before is what tells of the outage between them.
    await this.store.note(`${this.nodeId}@${aliveSince}`, aliveSince, now);
    if (isNewStreak) await this.store.forgetBefore(now - FORGET_AFTER_MS);
    this.aliveSince = aliveSince;
    this.lastBeatAt = Math.max(this.lastBeatAt, now);
    return true;
  }
}
