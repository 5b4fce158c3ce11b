import { Injectable } from '@nestjs/common';
import type { PaymentEvent } from '../../../../contracts/events/payment-events.js';
import type { OrderId } from '../../../../contracts/ids.js';
import type { Refusal } from '../../../../contracts/refusals.js';
import { paymentStream } from '../../../../contracts/streams.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { evolvePayment, type PaymentState, unknownPayment } from '../../../../domain/payments.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { StreamCommands } from '../../ledger/stream-commands.js';

const ORDER_ID = /^[0-9a-z]{20}$/;

type Decide = (state: PaymentState) => { events: PaymentEvent[] } | { refusal: Refusal };

@Injectable()
export class PaymentLog {
  constructor(
    private readonly log: EventLog,
    private readonly streams: StreamCommands,
  ) {}

  /** The state of the order's stream, and the log position of its last event: '0' for an empty stream. Throws LogUnavailable. */
  async read(orderId: OrderId): Promise<{ state: PaymentState; position: string }> {
    let state = unknownPayment;
    let position = '0';
    for await (const recorded of this.log.readStream(paymentStream(orderId))) {
      state = evolvePayment(state, recorded.event as PaymentEvent);
      position = recorded.position;
    }
    return { state, position };
  }

  /** The order id if the order has an invoice; null for any other text in a payment's order field. Throws LogUnavailable. */
  async orderWithInvoice(orderId: string | null): Promise<OrderId | null> {
    if (orderId === null || !ORDER_ID.test(orderId)) return null;
    return (await this.read(orderId)).state.invoice && orderId;
  }

  /** Appends the decided events and returns them, and the stream's state after them. Throws Refused, Unavailable. */
  decideAndAppend(orderId: OrderId, decide: Decide, metadata: CommandMetadata) {
    return this.streams.execute<PaymentState, PaymentEvent>({
      stream: paymentStream(orderId),
      initial: unknownPayment,
      evolve: (state, { event }) => evolvePayment(state, event),
      decide,
      metadata,
      content: null,
    });
  }
}
