import { Module } from '@nestjs/common';
import { ProfitsQueries } from './profits.queries.js';
import { AdjustBalance, SetDepositorStatus, TransferWinnings } from './winnings.commands.js';
import { BalancesController, ProfitsController } from './winnings.controller.js';

@Module({
  controllers: [BalancesController, ProfitsController],
  providers: [ProfitsQueries, TransferWinnings.Handler, AdjustBalance.Handler, SetDepositorStatus.Handler],
})
export class BalancesModule {}
