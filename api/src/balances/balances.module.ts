import { Module } from '@nestjs/common';
import { AdjustBalance, SetDepositorStatus, TransferWinnings } from './balances.commands.js';
import { BalancesController, ProfitsController } from './balances.controller.js';
import { ProfitsQueries } from './profits.queries.js';

@Module({
  controllers: [BalancesController, ProfitsController],
  providers: [ProfitsQueries, TransferWinnings.Handler, AdjustBalance.Handler, SetDepositorStatus.Handler],
})
export class BalancesModule {}
