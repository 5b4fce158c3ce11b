import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BalanceRow, GamerTotalsRow } from '../../../projections/src/views/balances.entity.js';
import { GamerRow } from '../../../projections/src/views/gamers.entity.js';
import { GamersController } from './gamers.controller.js';
import { GamersQueries } from './gamers.queries.js';

@Module({
  imports: [TypeOrmModule.forFeature([GamerRow, BalanceRow, GamerTotalsRow])],
  controllers: [GamersController],
  providers: [GamersQueries],
})
export class GamersModule {}
