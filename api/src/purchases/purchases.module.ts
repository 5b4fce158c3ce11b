import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RecentPurchaseRow } from '../../../projections/src/views/recent-purchases.entity.js';
import { BuyTokens } from './purchases.commands.js';
import { PurchasesController } from './purchases.controller.js';
import { PurchasesQueries } from './purchases.queries.js';

@Module({
  imports: [TypeOrmModule.forFeature([RecentPurchaseRow])],
  controllers: [PurchasesController],
  providers: [PurchasesQueries, BuyTokens.Handler],
})
export class PurchasesModule {}
