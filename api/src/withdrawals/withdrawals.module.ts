import { Module } from '@nestjs/common';
import { PayoutAddresses } from './payout-addresses.queries.js';
import {
  RequestProfitWithdrawal,
  RequestWithdrawalHandler,
  SaveWalletHandler,
  StopWithdrawal,
  UpdateProfitWithdrawal,
  UpdateWithdrawal,
} from './withdrawals.commands.js';
import { ProfitWithdrawalsController, WithdrawalsController } from './withdrawals.controller.js';
import { WithdrawalsQueries } from './withdrawals.queries.js';

@Module({
  controllers: [WithdrawalsController, ProfitWithdrawalsController],
  providers: [
    WithdrawalsQueries,
    PayoutAddresses,
    RequestWithdrawalHandler,
    RequestProfitWithdrawal.Handler,
    StopWithdrawal.Handler,
    UpdateWithdrawal.Handler,
    UpdateProfitWithdrawal.Handler,
    SaveWalletHandler,
  ],
  exports: [PayoutAddresses],
})
export class WithdrawalsModule {}
