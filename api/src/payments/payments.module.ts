import { type BeforeApplicationShutdown, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DepositRow } from '../../../projections/src/views/deposits.entity.js';
import { GatewayPaymentRow, PaymentRow } from '../../../projections/src/views/payments.entity.js';
import { Config } from '../config.js';
import { GamerNamesModule } from '../gamers/gamer-names.module.js';
import { GamerLimits } from '../http/gamer-limits.store.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { AdminDepositsController } from './admin-deposits.controller.js';
import { ApproveDepositHandler, RejectDepositHandler } from './admin-deposits.handlers.js';
import { CallbackInbox } from './callback-inbox.js';
import { CallbacksController } from './callbacks.controller.js';
import { DepositsQueries } from './deposits.queries.js';
import { EarlierLookups } from './earlier-lookups.js';
import { absentGateway } from './gateway/absent-gateway.js';
import { NowPaymentsGateway } from './gateway/nowpayments.gateway.js';
import type { PaymentGateway } from './gateway/payment-gateway.js';
import { GatewayPaymentsQueries } from './gateway-payments.queries.js';
import { LEDGER_PAYMENTS, PAYMENT_GATEWAY } from './ledger-payments.js';
import { LookUpPaymentHandler } from './look-up-payment.handler.js';
import { Opening } from './opening.js';
import { PaymentLog } from './payment-log.js';
import { PaymentWatchStore } from './payment-watch.store.js';
import { PaymentsController } from './payments.controller.js';
import { OpenPaymentHandler } from './payments.handlers.js';
import { PaymentsQueries } from './payments.queries.js';
import { Poller } from './poller.js';
import { Settlement } from './settlement.js';

const logger = new Logger('payments');

function gatewayOf({ payments }: Config): PaymentGateway {
  if (payments !== null) return new NowPaymentsGateway({ ...payments, baseUrl: payments.apiUrl });
  logger.warn('PAYMENTS_API_URL is not set: nobody can pay in');
  return absentGateway;
}

@Module({
  imports: [
    CqrsModule,
    LedgerModule,
    GamerNamesModule,
    TypeOrmModule.forFeature([DepositRow, PaymentRow, GatewayPaymentRow]),
  ],
  controllers: [PaymentsController, CallbacksController, AdminDepositsController],
  providers: [
    { provide: PAYMENT_GATEWAY, useFactory: gatewayOf, inject: [Config] },
    DepositsQueries,
    { provide: LEDGER_PAYMENTS, useExisting: DepositsQueries },
    PaymentLog,
    PaymentWatchStore,
    PaymentsQueries,
    GatewayPaymentsQueries,
    EarlierLookups,
    GamerLimits,
    Opening,
    Settlement,
    CallbackInbox,
    {
      provide: Poller,
      useFactory: (gateway: PaymentGateway, settlement: Settlement, watch: PaymentWatchStore) =>
        new Poller(gateway, settlement, watch, Date.now, (message) => logger.warn(message)),
      inject: [PAYMENT_GATEWAY, Settlement, PaymentWatchStore],
    },
    OpenPaymentHandler,
    ApproveDepositHandler,
    RejectDepositHandler,
    LookUpPaymentHandler,
  ],
  exports: [PaymentsQueries],
})
export class PaymentsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly poller: Poller,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.payments !== null) this.poller.start();
  }

  // Before, because it still needs the ledger, which stops with the application.
  async beforeApplicationShutdown(): Promise<void> {
    await this.poller.stop();
  }
}
