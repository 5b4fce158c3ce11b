import type { Pool } from 'pg';
import { DAY_MS } from '../../../contracts/durations.js';
import { MIN_OUTAGE_MS } from '../../../contracts/limits.js';
import { alignedInterval } from '../../../event-log/timers.js';
import type { Clock } from '../platform/clock.js';
import type { Ledger } from './ledger.js';

const MAX_DELAY_MS = 1_000;

export interface Beat {
  nodeId: string;
  aliveSinceMs: number;
  lastAliveAtMs: number;
  /** Other nodes count when they were alive at this time or after it. */
  othersSinceMs: number;
}

/** The table `ledger.liveness`: one row per streak, the time in which a node was alive without a gap. */
export class LivenessStore {
  constructor(private readonly pool: Pool) {}

  /** Records a beat, and returns whether other nodes are alive; undefined when it reached Postgres over a second late: it proves nothing. */
  async record(beat: Beat): Promise<boolean | undefined> {
    const { rows } = await this.pool.query<{ hasOtherNodes: boolean }>(
      `INSERT INTO ledger.liveness (node_id, alive_since_ms, last_alive_at_ms)
       SELECT $1 || '@' || $2, $2::bigint, $3::bigint
       WHERE extract(epoch FROM clock_timestamp()) * 1000 - $3::bigint <= ${MAX_DELAY_MS}
       ON CONFLICT (node_id) DO UPDATE SET
         alive_since_ms = EXCLUDED.alive_since_ms,
         last_alive_at_ms = GREATEST(ledger.liveness.last_alive_at_ms, EXCLUDED.last_alive_at_ms)
       RETURNING EXISTS (
         SELECT FROM ledger.liveness AS other
         WHERE other.last_alive_at_ms >= $4 AND NOT starts_with(other.node_id, $1 || '@')
       ) AS "hasOtherNodes"`,
      [beat.nodeId, String(beat.aliveSinceMs), beat.lastAliveAtMs, beat.othersSinceMs],
    );
    return rows[0]?.hasOtherNodes;
  }

  /** The latest end of the streaks that began at or before `epochMs`; null when there is none. */
  async lastAliveOfStreaksBy(epochMs: number): Promise<number | null> {
    const { rows } = await this.pool.query<{ endMs: number | null }>(
      'SELECT max(last_alive_at_ms)::float8 AS "endMs" FROM ledger.liveness WHERE alive_since_ms <= $1',
      [epochMs],
    );
    return rows[0]?.endMs ?? null;
  }

  async deleteBefore(epochMs: number): Promise<void> {
    await this.pool.query('DELETE FROM ledger.liveness WHERE last_alive_at_ms < $1', [epochMs]);
  }
}

const BEAT_INTERVAL_MS = 1_000;
/** A longer gap between two beats ends the streak. */
const MAX_GAP_MS = MIN_OUTAGE_MS;
/** Two years. A deleted streak could matter only after an outage that long; the last event's time then counts instead. */
const FORGET_AFTER_MS = 2 * 365 * DAY_MS;

/**
 * Records every second that the game could be played: decision 20 distinguishes a countdown that ended from one that ran out during
 * an outage. A node is alive while it reaches the log and the tables, and its clock is trusted (decision 42).
 */
export class Liveness {
  private aliveSinceMs = 0;
  private lastBeatAtMs = 0;
  private stopBeating = (): void => {};

  constructor(
    private readonly nodeId: string,
    private readonly store: LivenessStore,
    private readonly ledger: Pick<Ledger, 'lastContactAtMs' | 'lastEventAtMs' | 'isAlone'>,
    private readonly clock: Pick<Clock, 'now' | 'fault'>,
    private readonly onError: (error: Error) => void,
  ) {}

  start(): void {
    const beat = () => this.beat().catch(this.onError);
    this.stopBeating = alignedInterval(BEAT_INTERVAL_MS, beat);
    void beat();
  }

  stop(): void {
    this.stopBeating();
  }

  /** The last time at which any node was alive, epoch ms: now, if this node was already alive at the deadline. Null while uncertain. */
  async lastAliveAround(deadlineMs: number): Promise<number | null> {
    if (!(await this.beat())) return null;
    const nowMs = this.clock.now();
    if (this.aliveSinceMs <= deadlineMs) return nowMs;
    const recorded = await this.store.lastAliveOfStreaksBy(deadlineMs);
    const lastAliveAtMs = Math.max(recorded ?? 0, this.ledger.lastEventAtMs);
    // Another node may be alive and about to record it: an outage is certain only after MAX_GAP_MS.
    return lastAliveAtMs < deadlineMs && nowMs - lastAliveAtMs <= MAX_GAP_MS ? null : lastAliveAtMs;
  }

  /** Records that this node is alive; false when the log or Postgres is out of reach, or the clock is not trusted. */
  private async beat(): Promise<boolean> {
    const nowMs = this.clock.now();
    if (this.clock.fault !== null || nowMs - this.ledger.lastContactAtMs > MAX_GAP_MS) return false;
    const isNewStreak = nowMs - this.lastBeatAtMs > MAX_GAP_MS;
    const aliveSinceMs = isNewStreak ? nowMs : this.aliveSinceMs;
    // Each streak has its own row: the end of the former row is the beginning of the outage.
    const beat = { nodeId: this.nodeId, aliveSinceMs, lastAliveAtMs: nowMs, othersSinceMs: nowMs - MAX_GAP_MS };
    const hasOtherNodes = await this.store.record(beat);
    if (hasOtherNodes === undefined) return false;
    this.ledger.isAlone = !hasOtherNodes;
    if (isNewStreak) await this.store.deleteBefore(nowMs - FORGET_AFTER_MS);
    this.aliveSinceMs = aliveSinceMs;
    this.lastBeatAtMs = Math.max(this.lastBeatAtMs, nowMs);
    return true;
  }
}
