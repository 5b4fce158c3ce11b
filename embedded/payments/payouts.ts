import { randomBytes } from 'node:crypto';
import { compareDecimals } from '../../contracts/decimal.js';
import type { Body } from '../pages/http-server.js';
import { apiError, invalid, knownCurrency, optionalText, optionalUrl, requiredAmount } from './api-fields.js';
import type { Callbacks } from './callbacks.js';
import type { PaymentStore } from './payment-store.js';
import type { Payout } from './records.js';
import { Timers } from './timers.js';

/** Verifies every batch. The real gateway mails a code, or takes the one of an authenticator app. */
export const PRACTICE_CODE = '123456';
/** The real gateway, too, rejects payouts that nobody verified for an hour. */
const VERIFIABLE_FOR_MS = 60 * 60_000;
const NEXT_STATUS: Record<string, string> = {
  CREATING: 'REJECTED',
  WAITING: 'PROCESSING',
  PROCESSING: 'SENDING',
  SENDING: 'FINISHED',
};

/** Creates batches of payouts, and moves each payout from status to status once its batch is verified. */
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

  /** Accepts a repeated `unique_external_id`: nothing published says that the real gateway refuses it. */
  create({ withdrawals }: Body) {
    if (!Array.isArray(withdrawals) || withdrawals.length === 0) throw invalid('withdrawals is required');
    const batchId = this.store.newId();
    const payouts = withdrawals.map((withdrawal: Body) => this.read(withdrawal, batchId));
    for (const payout of payouts) this.save(payout);
    return { id: batchId, withdrawals: payouts };
  }

  verify(batchId: string, { verification_code: code }: Body): void {
    const batch = this.store.payouts(batchId);
    if (batch.length === 0) throw apiError(404, 'NOT_FOUND', 'Payout not found');
    if (batch.some(({ status }) => status !== 'CREATING')) {
      throw apiError(400, 'BAD_REQUEST', 'Payout does not wait for a verification');
    }
    if (code !== PRACTICE_CODE) throw apiError(400, 'BAD_REQUEST', 'Invalid verification code');
    for (const payout of batch) this.change(payout, { status: 'WAITING' });
  }

  /** Sets fields and queues a callback. A payout's hash stands for the transfer that sent its coins. */
  change(payout: Payout, fields: Partial<Payout>): Payout {
    const changed = this.save({ ...payout, ...fields, updated_at: new Date(this.now()).toISOString() });
    this.callbacks.enqueue(changed.id, changed.ipn_callback_url ?? null, changed);
    return changed;
  }

  close(): void {
    this.timers.close();
  }

  private read(withdrawal: Body, batchId: string): Payout {
    const currency = knownCurrency(withdrawal.currency, 'currency');
    const amount = requiredAmount(withdrawal, 'amount');
    if ((amount.split('.')[1] ?? '').length > 6) throw invalid('amount must not exceed 6 decimals');
    const minimum = this.store.settings.minimums[currency] ?? '0';
    const address = optionalText(withdrawal, 'address');
    if (address === null || compareDecimals(amount, minimum) < 0) {
      throw apiError(400, 'BAD_CREATE_WITHDRAWAL_REQUEST', `Invalid payout: ${currency} ${amount} ${address}`);
    }
    const now = new Date(this.now()).toISOString();
    return {
      id: this.store.newId(),
      batch_withdrawal_id: batchId,
      unique_external_id: optionalText(withdrawal, 'unique_external_id'),
      status: 'CREATING',
      currency,
      amount,
      address,
      hash: null,
      ipn_callback_url: optionalUrl(withdrawal, 'ipn_callback_url'),
      created_at: now,
      updated_at: now,
    };
  }

  private save(payout: Payout): Payout {
    this.store.put('payouts', payout);
    this.schedule(payout);
    return payout;
  }

  private schedule(payout: Payout): void {
    const { id, batch_withdrawal_id: batchId, status, updated_at: updatedAt } = payout;
    const isMoving = batchId !== undefined && status in NEXT_STATUS;
    const waitMs = status === 'CREATING' ? VERIFIABLE_FOR_MS : this.store.settings.stepMs;
    this.timers.set(id, isMoving ? Date.parse(updatedAt) + waitMs : null, () => this.advance(payout));
  }

  private advance(payout: Payout): void {
    const status = NEXT_STATUS[payout.status] ?? payout.status;
    const hash = status === 'SENDING' ? randomBytes(32).toString('hex') : payout.hash;
    this.change(payout, { status, hash });
  }
}
