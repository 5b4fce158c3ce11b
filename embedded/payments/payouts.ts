import { randomBytes } from 'node:crypto';
import type { Callbacks } from './callbacks.js';
import type { PaymentStore } from './payment-store.js';
import type { Payout } from './records.js';
import { Timers } from './timers.js';

/** Verifies every batch. The real gateway mails a code, or takes the one of an authenticator app. */
export const PRACTICE_CODE = '123456';
const NEXT_STATUS: Record<string, string> = {
  WAITING: 'PROCESSING',
  PROCESSING: 'SENDING',
  SENDING: 'FINISHED',
};

/** Moves each payout from status to status once its batch is verified. */
export class Payouts {
  private readonly timers: Timers;

  constructor(
    private readonly store: PaymentStore,
    private readonly callbacks: Callbacks,
    private readonly now: () => number,
  ) {
    this.timers = new Timers(now);
    for (const payout of store.payouts()) this.schedule(payout);
  }

  /** Sets fields and queues a callback. A payout's hash stands for the transfer that sent its coins. */
  change(payout: Payout, fields: Partial<Payout>): Payout {
    const changed = { ...payout, ...fields, updated_at: new Date(this.now()).toISOString() };
    this.store.put('payouts', changed);
    this.schedule(changed);
    this.callbacks.enqueue(changed.id, changed.ipn_callback_url ?? null, changed);
    return changed;
  }

  close(): void {
    this.timers.close();
  }

  private schedule(payout: Payout): void {
    const { id, batch_withdrawal_id: batchId, status, updated_at: updatedAt } = payout;
    const isMoving = batchId !== undefined && status in NEXT_STATUS;
    const dueAtMs = isMoving ? Date.parse(updatedAt) + this.store.settings.stepMs : null;
    this.timers.set(id, dueAtMs, () => this.advance(payout));
  }

  private advance(payout: Payout): void {
    const status = NEXT_STATUS[payout.status] ?? payout.status;
    const hash = status === 'SENDING' ? randomBytes(32).toString('hex') : payout.hash;
    this.change(payout, { status, hash });
  }
}
