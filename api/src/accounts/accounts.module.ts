import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SessionStore } from '../http/session-store.js';
import { Account } from './account.entity.js';
import { AccountsStore } from './accounts.store.js';

/** Global, because the guards of every room ask the store who a session belongs to. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Account])],
  providers: [AccountsStore, SessionStore],
  exports: [AccountsStore, SessionStore],
})
export class AccountsModule {}
