import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { LedgerModule } from '../ledger/ledger.module.js';
import { BalancesController } from './balances.controller.js';
import { AdjustBalanceHandler, SetDepositorStatusHandler, TransferWinningsHandler } from './balances.handlers.js';

@Module({
  imports: [CqrsModule, LedgerModule],
  controllers: [BalancesController],
  providers: [TransferWinningsHandler, AdjustBalanceHandler, SetDepositorStatusHandler],
})
export class BalancesModule {}
