import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Pool } from 'pg';
import { getMetadataArgsStorage } from 'typeorm';
import { AccountsModule } from './accounts/accounts.module.js';
import { AuditModule } from './audit/audit.module.js';
import { BalancesModule } from './balances/balances.module.js';
import { CheckpointsModule } from './checkpoints/checkpoints.module.js';
import { CommunityModule } from './community/community.module.js';
import { GameModule } from './game/game.module.js';
import { GamersModule } from './gamers/gamers.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { LiveModule } from './live/live.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { Config } from './platform/config.js';
import { PlatformModule } from './platform/platform.module.js';
import { GENERAL_POOL } from './platform/priority-pool.store.js';
import { ProtectionModule } from './protection/protection.module.js';
import { PurchasesModule } from './purchases/purchases.module.js';
import { RemindersModule } from './reminders/reminders.module.js';
import { RoundsModule } from './rounds/rounds.module.js';
import { SupportModule } from './support/support.module.js';
import { WithdrawalsModule } from './withdrawals/withdrawals.module.js';

const database = TypeOrmModule.forRootAsync({
  // The pool is injected only for the order: it opens after the migrations.
  inject: [Config, Pool],
  useFactory: (config: Config) => ({
    type: 'postgres',
    url: config.databaseUrl,
    entities: getMetadataArgsStorage().tables.map(({ target }) => target),
    synchronize: false,
    applicationName: 'omni-jackpot-api',
    extra: GENERAL_POOL,
  }),
});

@Module({
  imports: [
    PlatformModule,
    CqrsModule.forRoot(),
    database,
    HttpModule,
    AccountsModule,
    LedgerModule,
    AuditModule,
    BalancesModule,
    CheckpointsModule,
    CommunityModule,
    GameModule,
    GamersModule,
    HealthModule,
    LiveModule,
    PaymentsModule,
    ProtectionModule,
    PurchasesModule,
    RemindersModule,
    RoundsModule,
    SupportModule,
    WithdrawalsModule,
  ],
})
export class AppModule {}
