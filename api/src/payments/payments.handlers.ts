import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../contracts/events/metadata.js';
import type { InvoiceResponse } from '../../../contracts/http/payments.js';
import { GamerLimits } from '../http/gamer-limits.store.js';
import { type WithPosition, withPosition } from '../http/position.interceptor.js';
import { Opening, type Wanted } from './opening.js';

/** The session's gamer wants to pay for tokens or for a deposit. */
export class OpenPayment extends Command<WithPosition<InvoiceResponse>> {
  constructor(
    readonly wanted: Wanted,
    readonly by: { actor: Actor; commandId: string },
  ) {
    super();
  }
}

@CommandHandler(OpenPayment)
export class OpenPaymentHandler implements ICommandHandler<OpenPayment> {
  constructor(
    private readonly opening: Opening,
    private readonly limits: GamerLimits,
  ) {}

  async execute({ wanted, by }: OpenPayment) {
    const { position, invoice } = await this.opening.open(wanted, by, () => this.limits.countInvoice(by.actor.id));
    return withPosition(position, invoice);
  }
}
