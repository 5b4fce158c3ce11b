import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BalanceRow } from '../../../projections/src/views/balances.entity.js';
import { GamerRow } from '../../../projections/src/views/gamers.entity.js';
import { AdminGamersController } from './admin-gamers.controller.js';
import { AdminGamersQueries } from './admin-gamers.queries.js';
import { EditGamersController } from './edit-gamers.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([GamerRow, BalanceRow])],
  controllers: [AdminGamersController, EditGamersController],
  providers: [AdminGamersQueries],
})
export class AdminGamersModule {}
