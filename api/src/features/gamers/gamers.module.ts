import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { GenealogyQueries } from '../matrix/matrix.queries.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { AdminGamersController, GamersController, GamersListController } from './gamers.controller.js';
import { GamersQueries } from './gamers.queries.js';
import { Erasure, RemovalsStore, RemoveGamerHandler } from './removals.store.js';

@Module({
  imports: [AuditModule, PaymentsModule],
  controllers: [GamersController, GamersListController, AdminGamersController],
  providers: [Erasure, GamersQueries, GenealogyQueries, RemovalsStore, RemoveGamerHandler],
})
export class GamersModule {}
