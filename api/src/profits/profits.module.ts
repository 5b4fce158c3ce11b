import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BalanceRow } from '../../../projections/src/views/balances.entity.js';
import { DailyTotalsRow } from '../../../projections/src/views/daily-totals.entity.js';
import { StatsRow } from '../../../projections/src/views/stats.entity.js';
import { WithdrawalsModule } from '../withdrawals/withdrawals.module.js';
import { DailyTotalsController } from './daily-totals.controller.js';
import { DailyTotalsQueries } from './daily-totals.queries.js';
import { ProfitsController } from './profits.controller.js';
import { ProfitsQueries } from './profits.queries.js';

@Module({
  imports: [CqrsModule, WithdrawalsModule, TypeOrmModule.forFeature([BalanceRow, DailyTotalsRow, StatsRow])],
  controllers: [ProfitsController, DailyTotalsController],
  providers: [ProfitsQueries, DailyTotalsQueries],
})
export class ProfitsModule {}
