import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PurchasesController } from './purchases.controller.js';
import { BuyTokensHandler } from './purchases.handlers.js';

@Module({
  imports: [CqrsModule, LedgerModule],
  controllers: [PurchasesController],
  providers: [BuyTokensHandler],
})
export class PurchasesModule {}
