import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BalanceRow } from '../../../projections/src/views/balances.entity.js';
import { GamerRow } from '../../../projections/src/views/gamers.entity.js';
import { AdminGamersController } from './admin-gamers.controller.js';
import { AdminGamersQueries } from './admin-gamers.queries.js';

@Module({
  imports: [TypeOrmModule.forFeature([GamerRow, BalanceRow])],
  controllers: [AdminGamersController],
  providers: [AdminGamersQueries],
})
export class AdminGamersModule {}
