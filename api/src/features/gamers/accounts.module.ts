import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SessionGamers } from '../../http/session.js';
import { LedgerModule } from '../../ledger/ledger.module.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { SecondFactors } from '../staff/second-factors.store.js';
import { SecurityTrail } from '../staff/security-trail.store.js';
import { SecurityTrailController, StaffController } from '../staff/staff.controller.js';
import { AccountChanges } from './account-changes.store.js';
import { AccountMails } from './account-mails.js';
import { AccountsController } from './accounts.controller.js';
import { Account, AccountsStore } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { Enrolment } from './enrolment.store.js';
import { ExcludedMailboxes } from './excluded-mailboxes.store.js';
import { GamerLog } from './gamer-log.js';
import { GamerNames } from './gamers.queries.js';
import { Logins } from './logins.js';
import { MailedLinks } from './mailed-links.store.js';
import { OwnAccountController } from './own-account.controller.js';
import { PasswordResetsController } from './password-resets.controller.js';
import { AccountPasswords, Passwords } from './passwords.js';
import { Registrations } from './registrations.js';

const SERVICES = [
  AccountChanges,
  AccountMails,
  AccountPasswords,
  AccountsStore,
  ExcludedMailboxes,
  GamerNames,
  MailedLinks,
  SecurityTrail,
  { provide: SessionGamers, useExisting: AccountsStore },
];

/** Global, because the guards of every module look up the gamer of a session here. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Account]), LedgerModule],
  controllers: [
    AccountsController,
    OwnAccountController,
    PasswordResetsController,
    SecurityTrailController,
    StaffController,
  ],
  providers: [...SERVICES, AttemptLimits, Enrolment, GamerLog, Logins, Mailer, Passwords, Registrations, SecondFactors],
  exports: SERVICES,
})
export class AccountsModule {}
