import { Module } from '@nestjs/common';
import { BuyTokens } from './purchases.commands.js';
import { PurchasesController } from './purchases.controller.js';
import { PurchasesQueries } from './purchases.queries.js';

@Module({
  controllers: [PurchasesController],
  providers: [PurchasesQueries, BuyTokens.Handler],
})
export class PurchasesModule {}
