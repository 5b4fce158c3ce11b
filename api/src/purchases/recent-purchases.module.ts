import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RecentPurchaseRow } from '../../../projections/src/views/recent-purchases.entity.js';
import { GamerNamesModule } from '../gamers/gamer-names.module.js';
import { RecentPurchasesController } from './recent-purchases.controller.js';
import { RecentPurchasesQueries } from './recent-purchases.queries.js';

@Module({
  imports: [TypeOrmModule.forFeature([RecentPurchaseRow]), GamerNamesModule],
  controllers: [RecentPurchasesController],
  providers: [RecentPurchasesQueries],
})
export class RecentPurchasesModule {}
