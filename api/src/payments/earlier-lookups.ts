import { Injectable } from '@nestjs/common';
import type { PaymentSeen } from '../../../contracts/events/payment-events.js';
import type { GatewayPaymentId } from '../../../contracts/ids.js';
import { canBeJudged } from '../../../domain/payments.js';
import { GatewayPaymentsQueries } from './gateway-payments.queries.js';
import { PaymentLog } from './payment-log.js';
import type { By } from './settlement.js';

/** Lookups that were sent before, and what they found. */
@Injectable()
export class EarlierLookups {
  constructor(
    private readonly gatewayPayments: GatewayPaymentsQueries,
    private readonly payments: PaymentLog,
  ) {}

  /** What this command saw of the payment when it was first sent, if that settled it. */
  async seenBy(by: By, paymentId: GatewayPaymentId): Promise<PaymentSeen['data'] | null> {
    const orderId = await this.gatewayPayments.orderOf(paymentId);
    const seen = orderId && (await this.payments.seenBy(by, { orderId, paymentId }));
    return seen && canBeJudged(seen, 'tokens') ? seen : null;
  }
}
