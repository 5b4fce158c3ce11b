import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WalletRow } from '../../../projections/src/views/wallets.entity.js';
import { GamerLimits } from '../http/gamer-limits.store.js';
import { WalletsController } from './wallets.controller.js';
import { SaveWalletHandler } from './wallets.handlers.js';
import { WalletsQueries } from './wallets.queries.js';

@Module({
  imports: [CqrsModule, TypeOrmModule.forFeature([WalletRow])],
  controllers: [WalletsController],
  providers: [WalletsQueries, GamerLimits, SaveWalletHandler],
})
export class WalletsModule {}
