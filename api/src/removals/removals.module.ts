import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { Erasure } from './erasure.js';
import { OpenInvoices } from './open-invoices.queries.js';
import { RemovalsController } from './removals.controller.js';
import { Removals } from './removals.js';
import { RemovalsStore } from './removals.store.js';

@Module({
  imports: [LedgerModule],
  controllers: [RemovalsController],
  providers: [Erasure, OpenInvoices, Removals, RemovalsStore],
})
export class RemovalsModule {}
