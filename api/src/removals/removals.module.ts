import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { Erasure } from './erasure.js';
import { RemovalsController } from './removals.controller.js';
import { Removals } from './removals.js';
import { RemovalsStore } from './removals.store.js';

@Module({
  imports: [LedgerModule, PaymentsModule],
  controllers: [RemovalsController],
  providers: [Erasure, Removals, RemovalsStore],
})
export class RemovalsModule {}
