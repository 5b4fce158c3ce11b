import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WalletRow } from '../../../projections/src/views/wallets.entity.js';
import { WithdrawalRow } from '../../../projections/src/views/withdrawals.entity.js';
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
  imports: [TypeOrmModule.forFeature([WalletRow, WithdrawalRow])],
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
