import { Module } from '@nestjs/common';
import { AdjustBalance, SetDepositorStatus, SetSecondPersonLimit, TransferWinnings } from './balances.commands.js';
import { BalancesController, ProfitsController } from './balances.controller.js';
import { ProfitsQueries } from './profits.queries.js';
import { SecondPersonController } from './second-person.controller.js';
import { SecondPersonQueries } from './second-person.queries.js';

@Module({
  controllers: [BalancesController, ProfitsController, SecondPersonController],
  providers: [
    ProfitsQueries,
    TransferWinnings.Handler,
    AdjustBalance.Handler,
    SetDepositorStatus.Handler,
    SecondPersonQueries,
    SetSecondPersonLimit.Handler,
  ],
})
export class BalancesModule {}
