import { Logger, Module } from '@nestjs/common';
import { Config } from '../../platform/config.js';
import { CallbackInbox } from './callback-inbox.js';
import { NowPaymentsGateway } from './gateway/nowpayments.gateway.js';
import { absentGateway, PaymentGateway } from './gateway/payment-gateway.js';
import { InvoiceService } from './invoice.service.js';
import { ApproveDeposit, PaymentDecisions, RejectDeposit } from './payment-decisions.js';
import { PaymentLog } from './payment-log.js';
import { PaymentPollsStore } from './payment-polls.store.js';
import { AdminDepositsController, CallbacksController, PaymentsController } from './payments.controller.js';
import { PaymentsQueries } from './payments.queries.js';
import { Poller } from './poller.js';
import { Settlement } from './settlement.js';

function createGateway({ payments }: Config): PaymentGateway {
  if (payments !== null) return new NowPaymentsGateway({ ...payments, baseUrl: payments.apiUrl });
  new Logger('payments').warn('PAYMENTS_API_URL is not set: gamers cannot pay in');
  return absentGateway;
}

@Module({
  controllers: [PaymentsController, CallbacksController, AdminDepositsController],
  providers: [
    { provide: PaymentGateway, useFactory: createGateway, inject: [Config] },
    PaymentsQueries,
    PaymentLog,
    PaymentPollsStore,
    InvoiceService,
    Settlement,
    PaymentDecisions,
    ApproveDeposit.Handler,
    RejectDeposit.Handler,
    CallbackInbox,
    Poller,
  ],
  exports: [CallbackInbox, PaymentGateway, PaymentPollsStore, PaymentsQueries, Settlement],
})
export class PaymentsModule {
  constructor(poller: Poller, config: Config) {
    if (config.payments !== null) poller.start();
  }
}
