import { type BeforeApplicationShutdown, Global, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SessionGamers } from '../../http/session.js';
import { LedgerModule } from '../../ledger/ledger.module.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { BeginEnrolmentHandler, ConfirmEnrolmentHandler, StepUpHandler } from '../staff/second-factor.handlers.js';
import { SecondFactors } from '../staff/second-factors.store.js';
import { SignInTrail } from '../staff/sign-in-trail.store.js';
import { SignInsController, StaffController } from '../staff/staff.controller.js';
import { Account } from './account.entity.js';
import { ChangeRoleHandler, EditProfileHandler, ProfileChanges } from './account-changes.handlers.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsStore } from './accounts.store.js';
import { AccountsBootstrap } from './accounts-bootstrap.js';
import { AttemptLimits } from './attempt-limits.js';
import { BrowserSessions } from './browser-sessions.js';
import { Enrolment } from './enrolment.js';
import { ExcludedIdentities } from './excluded-identities.store.js';
import { GamerLog } from './gamer-log.js';
import { GamerNames } from './gamer-names.queries.js';
import { LogInHandler, RegisterHandler } from './log-in-and-register.handlers.js';
import { MailedLinksStore } from './mailed-links.store.js';
import { OwnAccountController } from './own-account.controller.js';
import {
  ChangeOwnPasswordHandler,
  ConfirmEmailChangeHandler,
  RequestEmailChangeHandler,
} from './own-account.handlers.js';
import {
  PasswordChanges,
  RequestPasswordResetHandler,
  ResetPasswordHandler,
  SetPasswordHandler,
} from './passwords.handlers.js';
import { CurrentPasswords, Passwords } from './passwords.js';
import { SecurityMails } from './security-mails.js';
import { UnfinishedChanges } from './unfinished-changes.store.js';

/** Global, because the guards of every module look up the gamer of a session here. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Account]), LedgerModule],
  controllers: [AccountsController, OwnAccountController, SignInsController, StaffController],
  providers: [
    AccountsBootstrap,
    AccountsStore,
    { provide: SessionGamers, useExisting: AccountsStore },
    AttemptLimits,
    BeginEnrolmentHandler,
    BrowserSessions,
    ChangeOwnPasswordHandler,
    ChangeRoleHandler,
    ConfirmEmailChangeHandler,
    ConfirmEnrolmentHandler,
    CurrentPasswords,
    EditProfileHandler,
    Enrolment,
    ExcludedIdentities,
    GamerLog,
    GamerNames,
    LogInHandler,
    MailedLinksStore,
    Mailer,
    PasswordChanges,
    Passwords,
    ProfileChanges,
    RegisterHandler,
    RequestEmailChangeHandler,
    RequestPasswordResetHandler,
    ResetPasswordHandler,
    SecondFactors,
    SecurityMails,
    SetPasswordHandler,
    SignInTrail,
    StepUpHandler,
    UnfinishedChanges,
  ],
  exports: [AccountsStore, ExcludedIdentities, GamerNames, SecurityMails, SessionGamers, SignInTrail],
})
export class AccountsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly bootstrap: AccountsBootstrap,
    private readonly enrolment: Enrolment,
    private readonly excluded: ExcludedIdentities,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.excluded.mustHaveAllSecrets();
    await this.bootstrap.run(new Date());
    this.enrolment.start();
  }

  // Before the ledger, which stops at onApplicationShutdown: completing a registration needs it.
  async beforeApplicationShutdown(): Promise<void> {
    await this.enrolment.stop();
  }
}
