import type { Actor } from '../../../contracts/events/metadata.js';
import { Unavailable } from '../http/refused.js';
import type { Ledger } from './ledger.js';
import type { Liveness } from './liveness.js';

const SYSTEM: Actor = { id: 'system', role: 'system' };
/** setTimeout cannot wait longer; it is simply set again. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
const RETRY_MS = 250;

/**
 * Wakes at the next deadline of the game and asks the ledger to do what is due. Every node has one: the ledger lets one
 * of them through and the others find nothing due.
 */
export class Timekeeper {
  private timer: NodeJS.Timeout | undefined;
  private deadline: number | null = null;
  private stopped = false;

  constructor(
    private readonly ledger: Ledger,
    private readonly liveness: Liveness,
    private readonly now: () => number,
    private readonly newCommandId: () => string,
    private readonly onError: (error: Error) => void,
  ) {}

  start(): void {
    this.ledger.onCommitted(() => this.watch());
    this.watch();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private watch(): void {
    const { endsAtEpochMs } = this.ledger.committed.game;
    if (endsAtEpochMs === this.deadline) return;
    this.deadline = endsAtEpochMs;
    this.setTimer(endsAtEpochMs === null ? null : endsAtEpochMs - this.now());
  }

  private setTimer(delayMs: number | null): void {
    clearTimeout(this.timer);
    if (delayMs === null || this.stopped) return;
    this.timer = setTimeout(() => this.wake(), Math.min(Math.max(delayMs, 0), MAX_TIMEOUT_MS));
  }

  private wake(): void {
    this.advance().catch((error: Error) => {
      if (!(error instanceof Unavailable)) this.onError(error);
      this.setTimer(RETRY_MS);
    });
  }

  private async advance(): Promise<void> {
    const deadline = this.deadline;
    if (deadline === null) return;
    const leftMs = deadline - this.now();
    if (leftMs > 0) return this.setTimer(leftMs);
    const lastAliveAtEpochMs = await this.liveness.lastAliveAround(deadline);
    if (lastAliveAtEpochMs === null) return this.setTimer(RETRY_MS);
    await this.ledger.execute(
      { type: 'AdvanceClock', lastAliveAtEpochMs },
      { actor: SYSTEM, commandId: this.newCommandId() },
    );
    // Whether it moved the game or another node had: the deadline now is the one to wait for.
    this.deadline = null;
    this.watch();
  }
}
