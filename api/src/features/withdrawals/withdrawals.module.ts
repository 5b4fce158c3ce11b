import { Module } from '@nestjs/common';
import {
  CancelWithdrawal,
  RequestProfitWithdrawal,
  RequestWithdrawalHandler,
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
    RequestWithdrawalHandler,
    RequestProfitWithdrawal.Handler,
    CancelWithdrawal.Handler,
    UpdateWithdrawal.Handler,
    UpdateProfitWithdrawal.Handler,
    SaveWalletHandler,
  ],
})
export class WithdrawalsModule {}
