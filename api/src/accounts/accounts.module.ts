import { type BeforeApplicationShutdown, Global, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SessionStore } from '../http/session-store.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PasswordResetsStore } from '../password-resets/password-resets.store.js';
import { Account } from './account.entity.js';
import { AccountChanges } from './account-changes.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsStore } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { Enrolment } from './enrolment.js';
import { FirstStart } from './first-start.js';
import { GamerLog } from './gamer-log.js';
import { KnownAddressesStore } from './known-addresses.store.js';
import { Login } from './login.js';
import { Passwords } from './passwords.js';
import { Registration } from './registration.js';
import { UnfinishedRegistrations } from './unfinished-registrations.js';

/** Global, because the guards of every room ask the store who a session belongs to. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Account]), LedgerModule],
  controllers: [AccountsController],
  providers: [
    AccountChanges,
    AccountsStore,
    AttemptLimits,
    Enrolment,
    FirstStart,
    GamerLog,
    KnownAddressesStore,
    Login,
    PasswordResetsStore,
    Passwords,
    Registration,
    SessionStore,
    UnfinishedRegistrations,
  ],
  exports: [AccountChanges, AccountsStore, AttemptLimits, PasswordResetsStore, SessionStore],
})
export class AccountsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly firstStart: FirstStart,
    private readonly unfinished: UnfinishedRegistrations,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.firstStart.run(new Date());
    this.unfinished.start();
  }

  // Before, because it still needs the ledger, which stops with the application.
  async beforeApplicationShutdown(): Promise<void> {
    await this.unfinished.stop();
  }
}
