import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BalanceRow, GamerTotalsRow } from '../../../projections/src/views/balances.entity.js';
import { GamerRow } from '../../../projections/src/views/gamers.entity.js';
import { MatrixGamerRow, MatrixLevelRow } from '../../../projections/src/views/matrix.entity.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { AdminGamersController, GamersController } from './gamers.controller.js';
import { GamersQueries } from './gamers.queries.js';
import { GenealogyQueries } from './genealogy.queries.js';
import { RemovalsStore } from './removals.store.js';
import { Erasure, RemoveGamerHandler } from './remove-gamer.handler.js';

@Module({
  imports: [
    PaymentsModule,
    TypeOrmModule.forFeature([GamerRow, BalanceRow, GamerTotalsRow, MatrixGamerRow, MatrixLevelRow]),
  ],
  controllers: [GamersController, AdminGamersController],
  providers: [Erasure, GamersQueries, GenealogyQueries, RemovalsStore, RemoveGamerHandler],
})
export class GamersModule {}
