import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WithdrawalRow } from '../../../projections/src/views/withdrawals.entity.js';
import { GamerNamesModule } from '../gamers/gamer-names.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { WithdrawalsController } from './withdrawals.controller.js';
import { RequestWithdrawalHandler, UpdateWithdrawalHandler } from './withdrawals.handlers.js';
import { WithdrawalsQueries } from './withdrawals.queries.js';

@Module({
  imports: [CqrsModule, LedgerModule, GamerNamesModule, TypeOrmModule.forFeature([WithdrawalRow])],
  controllers: [WithdrawalsController],
  providers: [WithdrawalsQueries, RequestWithdrawalHandler, UpdateWithdrawalHandler],
  exports: [WithdrawalsQueries],
})
export class WithdrawalsModule {}
