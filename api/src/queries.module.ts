import { Module } from '@nestjs/common';
import { ActivityModule } from './activity/activity.module.js';
import { AdminGamersModule } from './admin-gamers/admin-gamers.module.js';
import { AuditModule } from './audit/audit.module.js';
import { GameBoardModule } from './game-board/game-board.module.js';
import { GamersModule } from './gamers/gamers.module.js';
import { GenealogyModule } from './genealogy/genealogy.module.js';
import { ReadModelsModule } from './http/read-models.module.js';
import { RecentPurchasesModule } from './purchases/recent-purchases.module.js';
import { StatsModule } from './stats/stats.module.js';
import { WinnersModule } from './winners/winners.module.js';

/** Everything that is answered from the read models. */
@Module({
  imports: [
    ReadModelsModule,
    GameBoardModule,
    RecentPurchasesModule,
    WinnersModule,
    StatsModule,
    GamersModule,
    GenealogyModule,
    AdminGamersModule,
    ActivityModule,
    AuditModule,
  ],
})
export class QueriesModule {}
