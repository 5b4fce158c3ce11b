import { Module } from '@nestjs/common';
import {
  CancelWithdrawal,
  RequestProfitWithdrawal,
  RequestWithdrawalHandler,
  SaveWalletHandler,
  UpdateProfitWithdrawal,
  UpdateWithdrawalHandler,
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
    UpdateWithdrawalHandler,
    UpdateProfitWithdrawal.Handler,
    SaveWalletHandler,
  ],
})
export class WithdrawalsModule {}
