import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Pool } from 'pg';
import { getMetadataArgsStorage } from 'typeorm';
import { AuditModule } from './features/audit/audit.controller.js';
import { CommunityModule } from './features/community/community.controller.js';
import { GameModule } from './features/game/game.controller.js';
import { GamersModule } from './features/gamers/gamers.controller.js';
import { HealthModule } from './features/health/health.controller.js';
import { HistoryLossModule } from './features/history-loss/history-loss.controller.js';
import { PaymentsModule } from './features/payments/payments.controller.js';
import { ProtectionModule } from './features/protection/protection.controller.js';
import { PublicRecordModule } from './features/public-record/public-record.controller.js';
import { PurchasesModule } from './features/purchases/purchases.controller.js';
import { ReceiptsModule } from './features/receipts/receipts.controller.js';
import { RemindersModule } from './features/reminders/reminders.controller.js';
import { RoundsModule } from './features/rounds/rounds.controller.js';
import { StatementsModule } from './features/statements/statements.controller.js';
import { SupportModule } from './features/support/support.controller.js';
import { WinningsModule } from './features/winnings/winnings.controller.js';
import { WithdrawalsModule } from './features/withdrawals/withdrawals.controller.js';
import { AfterPositionInterceptor } from './http/position.interceptors.js';
import { RateLimits } from './http/rate-limits.store.js';
import { PublicQueryCache, ReadCheckpoint } from './http/read-checkpoint.queries.js';
import { SessionStore } from './http/sessions.store.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { LiveModule } from './live/live.gateway.js';
import { Config } from './platform/config.js';
import { PlatformModule } from './platform/platform.module.js';
import { GENERAL_POOL } from './platform/priority-pool.store.js';

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

const HTTP_SERVICES = [AfterPositionInterceptor, RateLimits, PublicQueryCache, ReadCheckpoint, SessionStore];

@Global()
@Module({ providers: HTTP_SERVICES, exports: HTTP_SERVICES })
class HttpModule {}

@Module({
  imports: [
    PlatformModule,
    CqrsModule.forRoot(),
    database,
    HttpModule,
    GamersModule,
    LedgerModule,
    AuditModule,
    CommunityModule,
    GameModule,
    HealthModule,
    LiveModule,
    HistoryLossModule,
    PaymentsModule,
    ProtectionModule,
    PublicRecordModule,
    PurchasesModule,
    ReceiptsModule,
    RemindersModule,
    RoundsModule,
    StatementsModule,
    SupportModule,
    WinningsModule,
    WithdrawalsModule,
  ],
})
export class AppModule {}
