import { randomUUID } from 'node:crypto';
import { SYSTEM } from '../../../contracts/events/metadata.js';
import { DECIDING_MS } from '../../../contracts/limits.js';
import { phaseChangeDueAtMs } from '../../../domain/rounds.js';
import type { Clock } from '../platform/clock.js';
import { isOutage } from '../platform/failures.js';
import type { Ledger } from './ledger.js';
import type { Liveness } from './liveness.store.js';

/** Longer delays are split, so that a corrected clock is noticed within this time. */
const MAX_TIMEOUT_MS = 2_000;
const RETRY_MS = 250;

/** Sends `AdvanceClock` when the phase is due to change, or a planned start is due. Every node does; after the first nothing is due. */
export class Timekeeper {
  private timer: NodeJS.Timeout | undefined;
  private dueAtMs: number | null = null;
  private isStopped = false;

  constructor(
    private readonly ledger: Ledger,
    private readonly liveness: Liveness,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly onError: (error: Error) => void,
  ) {}

  start(): void {
    this.ledger.onCommitted(() => this.watch());
    this.watch();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private watch(): void {
    const dueAtMs = phaseChangeDueAtMs(this.ledger.committed.game);
    if (dueAtMs === this.dueAtMs) return;
    this.dueAtMs = dueAtMs;
    this.setTimer(dueAtMs === null ? null : dueAtMs - this.clock.now());
  }

  private setTimer(delayMs: number | null): void {
    clearTimeout(this.timer);
    if (delayMs === null || this.isStopped) return;
    this.timer = setTimeout(() => this.wake(), Math.min(Math.max(delayMs, 0), MAX_TIMEOUT_MS));
  }

  private wake(): void {
    this.advance().catch((error: Error) => {
      if (!isOutage(error)) this.onError(error);
      this.setTimer(RETRY_MS);
    });
  }

  private async advance(): Promise<void> {
    if (this.dueAtMs === null) return;
    const wokenAtMs = this.clock.now();
    if (wokenAtMs < this.dueAtMs) return this.setTimer(this.dueAtMs - wokenAtMs);
    const lastAliveAtMs = await this.liveness.lastAliveAround(this.ledger.committed.game.endsAtEpochMs ?? this.dueAtMs);
    if (lastAliveAtMs === null) return this.setTimer(RETRY_MS);
    // The liveness query was slow, so purchases that arrived before zero may still wait for a store too.
    if (this.clock.now() - wokenAtMs > DECIDING_MS) return this.setTimer(DECIDING_MS);
    const metadata = { actor: SYSTEM, commandId: randomUUID() };
    await this.ledger.execute({ type: 'AdvanceClock', lastAliveAtMs }, metadata);
    // This command or another node's has advanced the game: watch the new phase.
    this.dueAtMs = null;
    this.watch();
  }
}
