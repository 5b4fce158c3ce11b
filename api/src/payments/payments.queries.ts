import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { PaymentStatusResponse } from '../../../contracts/http/payments.js';
import type { GamerId, OrderId } from '../../../contracts/ids.js';
import { GatewayPaymentRow, PaymentRow } from '../../../projections/src/views/payments.entity.js';
import { Refused } from '../http/refused.js';
import { type GamerOfSession, ownOrAdmin } from '../http/session.js';
import { becameInWords, EXPIRED_IN_WORDS } from './payment-words.js';

/** Once money is on its way; `pending` is any word of the gateway's that we do not know. */
const MOVING = new Set(['confirming', 'confirmed', 'sending', 'finished', 'partially_paid', 'pending']);

/** How invoices are doing. */
@Injectable()
export class PaymentsQueries {
  constructor(
    @InjectRepository(PaymentRow) private readonly payments: Repository<PaymentRow>,
    @InjectRepository(GatewayPaymentRow) private readonly gatewayPayments: Repository<GatewayPaymentRow>,
  ) {}

  async status(orderId: OrderId, session: GamerOfSession): Promise<PaymentStatusResponse> {
    const order = await this.payments.findOneBy({ orderId });
    if (order?.gamerId === undefined || order.gamerId === null) throw new Refused('payment-not-found');
    ownOrAdmin(session, order.gamerId);
    return statusOf(order, await this.gatewayPayments.findBy({ orderId }));
  }

  /** Whether money may still come in for this gamer: an invoice that is neither paid nor expired. */
  hasOpenInvoice(gamerId: GamerId): Promise<boolean> {
    return this.payments
      .createQueryBuilder('payment')
      .where('payment.gamerId = :gamerId AND NOT payment.isExpired', { gamerId })
      .andWhere(
        `NOT EXISTS (SELECT FROM read.gateway_payments paid WHERE paid.order_id = payment.order_id AND paid.outcome <> 'seen')`,
      )
      .getExists();
  }
}

/** The best that any of its payments came to. */
function statusOf(order: PaymentRow, payments: readonly GatewayPaymentRow[]): PaymentStatusResponse {
  const { orderId, quantity } = order;
  const purpose = order.purpose ?? 'deposit';
  const credited = payments.find(({ outcome }) => ['deposit', 'tokens', 'balance'].includes(outcome));
  const waiting = payments.find(({ outcome }) => outcome === 'review') ?? payments.find(wasRejected);
  const became = credited ?? waiting;
  if (became && became.outcome !== 'seen') {
    const { outcome, creditedCents, reason } = became;
    const message = becameInWords({ outcome, creditedCents, quantity, reason });
    return { orderId, purpose, status: credited ? 'settled' : 'review', message };
  }
  if (payments.some(({ status }) => MOVING.has(status))) {
    return { orderId, purpose, status: 'confirming', message: null };
  }
  if (order.isExpired) return { orderId, purpose, status: 'expired', message: EXPIRED_IN_WORDS };
  return { orderId, purpose, status: 'waiting', message: null };
}

const wasRejected = ({ outcome }: GatewayPaymentRow): boolean => outcome === 'rejected';
