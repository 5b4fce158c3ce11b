import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { InvoiceResponse } from '../../../../contracts/http/payments.js';
import { GamerLimits } from '../../http/limits.store.js';
import { ledgerCommand } from '../../ledger/ledger-command.js';
import { BusCommand } from '../../platform/bus-command.js';
import { type InvoiceRequest, InvoiceService } from './invoice.service.js';

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

export const ApproveDeposit = ledgerCommand(
  'ApproveDeposit',
  (): MessageResponse => ({ message: 'The deposit is approved' }),
);

export const RejectDeposit = ledgerCommand(
  'RejectDeposit',
  (): MessageResponse => ({ message: 'The deposit is rejected' }),
);
