import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Pool } from 'pg';
import { AccountsModule } from './accounts/accounts.module.js';
import { BalancesModule } from './balances/balances.module.js';
import { CommunityModule } from './community/community.module.js';
import { Config } from './config.js';
import { ConnectionsModule } from './connections.module.js';
import { GameControlModule } from './game/game-control.module.js';
import { HealthModule } from './health/health.module.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { LiveModule } from './live/live.module.js';
import { PasswordResetsModule } from './password-resets/password-resets.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { ProfitsModule } from './profits/profits.module.js';
import { PurchasesModule } from './purchases/purchases.module.js';
import { QueriesModule } from './queries.module.js';
import { RemovalsModule } from './removals/removals.module.js';
import { StreamsModule } from './streams/streams.module.js';
import { SupportModule } from './support/support.module.js';
import { WalletsModule } from './wallets/wallets.module.js';
import { WithdrawalsModule } from './withdrawals/withdrawals.module.js';

/** Entities are those that the modules name in `TypeOrmModule.forFeature`. Controllers write their whole path: 'api/…'. */
const database = TypeOrmModule.forRootAsync({
  // Not for the pool's sake: whoever waits for it waits for the migrations.
  inject: [Config, Pool],
  useFactory: (config: Config) => ({
    type: 'postgres',
    url: config.databaseUrl,
    autoLoadEntities: true,
    synchronize: false,
    applicationName: 'omni-jackpot-api',
    extra: { max: 10, connectionTimeoutMillis: 3_000, statement_timeout: 10_000 },
  }),
});

@Module({
  imports: [
    ConnectionsModule,
    database,
    AccountsModule,
    BalancesModule,
    CommunityModule,
    GameControlModule,
    HealthModule,
    LedgerModule,
    LiveModule,
    PasswordResetsModule,
    PaymentsModule,
    ProfitsModule,
    PurchasesModule,
    QueriesModule,
    RemovalsModule,
    StreamsModule,
    SupportModule,
    WalletsModule,
    WithdrawalsModule,
  ],
})
export class AppModule {}
