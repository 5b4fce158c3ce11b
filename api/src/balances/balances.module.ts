import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BalanceRow } from '../../../projections/src/views/balances.entity.js';
import { DailyTotalsRow } from '../../../projections/src/views/daily-totals.entity.js';
import { StatsRow } from '../../../projections/src/views/stats.entity.js';
import { AdjustBalance, SetDepositorStatus, TransferWinnings } from './balances.commands.js';
import { BalancesController, ProfitsController } from './balances.controller.js';
import { ProfitsQueries } from './profits.queries.js';

@Module({
  imports: [TypeOrmModule.forFeature([BalanceRow, DailyTotalsRow, StatsRow])],
  controllers: [BalancesController, ProfitsController],
  providers: [ProfitsQueries, TransferWinnings.Handler, AdjustBalance.Handler, SetDepositorStatus.Handler],
})
export class BalancesModule {}
