import { Module } from '@nestjs/common';
import {
  RequestProfitWithdrawal,
  RequestWithdrawal,
  SaveWalletHandler,
  UpdateProfitWithdrawal,
  UpdateWithdrawal,
} from './withdrawals.commands.js';
import { ProfitWithdrawalsController, WithdrawalsController } from './withdrawals.controller.js';
import { WithdrawalsQueries } from './withdrawals.queries.js';

@Module({
  controllers: [WithdrawalsController, ProfitWithdrawalsController],
  providers: [
    WithdrawalsQueries,
    RequestWithdrawal.Handler,
    RequestProfitWithdrawal.Handler,
    UpdateWithdrawal.Handler,
    UpdateProfitWithdrawal.Handler,
    SaveWalletHandler,
  ],
})
export class WithdrawalsModule {}
