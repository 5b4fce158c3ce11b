import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../contracts/events/metadata.js';
import type { PaymentEvent, PaymentSeen } from '../../../contracts/events/payment-events.js';
import type { CommandId, GatewayPaymentId, OrderId } from '../../../contracts/ids.js';
import type { Refusal } from '../../../contracts/messages.js';
import { paymentStream } from '../../../contracts/streams.js';
import { evolvePayment, type PaymentState, unknownPayment } from '../../../domain/payments.js';
import { EventLog } from '../../../event-log/event-log.js';
import { StreamCommands } from '../streams/stream-commands.js';

export interface PaymentAt {
  state: PaymentState;
  /** In the log, of the stream's last event; '0' when it has none. */
  position: string;
}

const ORDER_ID = /^[0-9a-z]{20}$/;

type Decide = (state: PaymentState) => { events: PaymentEvent[] } | { refusal: Refusal };

/** The streams `payment-{order}`. */
@Injectable()
export class PaymentLog {
  constructor(
    private readonly log: EventLog,
    private readonly streams: StreamCommands,
  ) {}

  /** Throws LogUnavailable. */
  async read(orderId: OrderId): Promise<PaymentAt> {
    let state = unknownPayment;
    let position = '0';
    for await (const recorded of this.log.readStream(paymentStream(orderId))) {
      state = evolvePayment(state, recorded.event as PaymentEvent);
      position = recorded.position;
    }
    return { state, position };
  }

  /** The order if it is one of ours; null for anything else that a payment may say it is for. Throws LogUnavailable. */
  async openedOrder(orderId: string | null): Promise<OrderId | null> {
    if (orderId === null || !ORDER_ID.test(orderId)) return null;
    return (await this.read(orderId)).state.opened && orderId;
  }

  /** What this command saw of a payment that its order's stream keeps; null when it was another's word. Throws LogUnavailable. */
  async seenBy(
    { actor, commandId }: { actor: Actor; commandId: CommandId },
    { orderId, paymentId }: { orderId: OrderId; paymentId: GatewayPaymentId },
  ): Promise<PaymentSeen['data'] | null> {
    for await (const { event, metadata } of this.log.readStream(paymentStream(orderId))) {
      const isTheirs = metadata.commandId === commandId && metadata.actor.id === actor.id;
      if (isTheirs && event.type === 'PaymentSeen' && event.data.paymentId === paymentId) return event.data;
    }
    return null;
  }

  /** Appends what is decided on the stream as it is, and answers with the stream after it. Throws Refused, Unavailable. */
  async change(orderId: OrderId, decide: Decide, by: { actor: Actor; commandId: CommandId }): Promise<PaymentAt> {
    let read = unknownPayment;
    let decidedOn: PaymentState | undefined;
    const { events, position } = await this.streams.execute<PaymentState, PaymentEvent>({
      stream: paymentStream(orderId),
      initial: unknownPayment,
      evolve(state, { event }) {
        read = evolvePayment(state, event);
        return read;
      },
      decide(state) {
        decidedOn = state;
        return decide(state);
      },
      by,
      asked: null,
    });
    // Otherwise it was carried out before, and what was read has it already.
    return { state: decidedOn === read ? events.reduce(evolvePayment, read) : read, position };
  }
}
