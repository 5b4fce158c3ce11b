import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { InvoiceResponse } from '../../../../contracts/http/payments.js';
import type { CommandOf } from '../../../../domain/ledger/ledger-commands.js';
import { GamerLimits } from '../../http/limits.store.js';
import { Ledger } from '../../ledger/ledger.js';
import { BusCommand, WithPosition } from '../../platform/bus-command.js';
import { type InvoiceRequest, InvoiceService } from './invoice.service.js';
import { PaymentChanges } from './payment-changes.js';

/** Creates an invoice for the session's gamer. */
export class CreateInvoice extends BusCommand<{ request: InvoiceRequest }, InvoiceResponse> {}

@CommandHandler(CreateInvoice)
export class CreateInvoiceHandler implements ICommandHandler<CreateInvoice> {
  constructor(
    private readonly invoices: InvoiceService,
    private readonly limits: GamerLimits,
  ) {}

  async execute({ fields: { request }, metadata }: CreateInvoice) {
    const admit = () => this.limits.count('invoice', metadata.actor.id);
    return this.invoices.create(request, metadata, admit);
  }
}

type Decision = CommandOf<'ApproveDeposit' | 'RejectDeposit'>;

/** Credits or rejects a parked payment for good. `seen` is the change at the gateway that the admin saw. */
export class DecideDeposit extends BusCommand<{ decision: Decision; seen: string | null }, MessageResponse> {}

@CommandHandler(DecideDeposit)
export class DecideDepositHandler implements ICommandHandler<DecideDeposit> {
  constructor(
    private readonly changes: PaymentChanges,
    private readonly ledger: Ledger,
  ) {}

  async execute({ fields: { decision, seen }, metadata }: DecideDeposit) {
    await this.changes.mustBeSeen(seen, decision.depositId, metadata);
    const { position } = await this.ledger.execute(decision, metadata);
    const outcome = decision.type === 'ApproveDeposit' ? 'approved' : 'rejected';
    return new WithPosition(position, { message: `The deposit is ${outcome}` });
  }
}
