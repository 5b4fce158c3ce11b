import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ChangeEmailRequest, ChangePasswordRequest, ConfirmEmailRequest } from '../../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { CommandId } from '../../../../contracts/ids.js';
import { RESET_TOKEN_LIFETIME_MS } from '../../../../contracts/limits.js';
import type { SessionGamer } from '../../http/session.js';
import { WithPosition } from '../../platform/bus-command.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { SignInTrail } from '../staff/sign-in-trail.store.js';
import type { Account } from './account.entity.js';
import { brokenByEmail, brokenByPassword } from './account.rules.js';
import { ProfileChanges } from './account-changes.handlers.js';
import { AccountsStore } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { ExcludedIdentities } from './excluded-identities.store.js';
import { mailOf } from './letter.js';
import { canReceive, MailedLinksStore, newToken, TOKEN_LIFETIME_TEXT, tokenHashOf } from './mailed-links.store.js';
import { PasswordChanges } from './passwords.handlers.js';
import { CurrentPasswords } from './passwords.js';
import { SecurityMails } from './security-mails.js';

/** The gamer of the session, and the address of the request. */
interface Asker {
  gamer: SessionGamer;
  address: string;
}

/** Ends all sessions but that of the request, which the controller replaces. */
export class ChangeOwnPassword extends Command<WithPosition<MessageResponse>> {
  constructor(
    readonly request: ChangePasswordRequest,
    readonly asker: Asker & { sid: string },
    readonly commandId: CommandId,
  ) {
    super();
  }
}

export class RequestEmailChange extends Command<MessageResponse> {
  constructor(
    readonly request: ChangeEmailRequest,
    readonly asker: Asker,
  ) {
    super();
  }
}

export class ConfirmEmailChange extends Command<WithPosition<MessageResponse>> {
  constructor(
    readonly request: ConfirmEmailRequest,
    readonly address: string,
    readonly commandId: CommandId,
  ) {
    super();
  }
}

@CommandHandler(ChangeOwnPassword)
export class ChangeOwnPasswordHandler implements ICommandHandler<ChangeOwnPassword> {
  constructor(
    private readonly current: CurrentPasswords,
    private readonly changes: PasswordChanges,
    private readonly trail: SignInTrail,
  ) {}

  async execute({ request, asker, commandId }: ChangeOwnPassword): Promise<WithPosition<MessageResponse>> {
    const { currentPassword, newPassword: password, confirmPassword } = request;
    const { gamerId, role } = asker.gamer;
    if (password !== confirmPassword) throw new Refused('passwords-do-not-match');
    const broken = brokenByPassword(password, role);
    if (broken) throw new Refused(broken);
    await this.current.check(currentPassword, asker);
    const metadata = { actor: { id: gamerId, role }, commandId };
    const position = await this.changes.execute({ gamerId, password, by: 'gamer', keptSid: asker.sid }, metadata);
    await this.trail.record({ type: 'password-changed', gamerId, address: asker.address });
    return new WithPosition(position, { message: 'Your password is changed, and all other sessions have ended' });
  }
}

/**
 * Mails a link to the wanted address; nothing changes until it is used. The response must not tell whether the address belongs
 * to another gamer, or to an excluded one: the token and the mail, which only a free address gets, are made after it.
 */
@CommandHandler(RequestEmailChange)
export class RequestEmailChangeHandler implements ICommandHandler<RequestEmailChange>, BeforeApplicationShutdown {
  private readonly logger = new Logger('email-changes');
  private readonly sending = new Set<Promise<void>>();

  constructor(
    private readonly accounts: AccountsStore,
    private readonly current: CurrentPasswords,
    private readonly limits: AttemptLimits,
    private readonly links: MailedLinksStore,
    private readonly identities: ExcludedIdentities,
    private readonly mailer: Mailer,
    private readonly mails: SecurityMails,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { newEmail, currentPassword }, asker }: RequestEmailChange): Promise<MessageResponse> {
    const broken = brokenByEmail(newEmail);
    if (broken) throw new Refused(broken);
    const account = await this.accounts.findById(asker.gamer.gamerId);
    if (!account) throw new Refused('gamer-not-found');
    if (account.email.toLowerCase() === newEmail.toLowerCase()) throw new Refused('email-unchanged');
    await this.current.check(currentPassword, asker);
    await this.limits.countEmailChange(account.gamerId, asker.address);
    if (this.mailer.canSend) {
      this.mails.emailChangeRequested(account);
      const sent = this.send(account, newEmail)
        .catch((error: Error) => this.logger.error(`no confirmation link was sent: ${error.message}`))
        .finally(() => this.sending.delete(sent));
      this.sending.add(sent);
    }
    return {
      message: 'If this address can be used, a link was sent to it. Your email stays the same until you open it.',
    };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.sending);
  }

  private async send(account: Account, newEmail: string): Promise<void> {
    if (!canReceive(newEmail) || !(await this.isFree(newEmail, account))) return;
    const token = newToken();
    const expiresAt = new Date(this.clock.now() + RESET_TOKEN_LIFETIME_MS);
    if (!(await this.links.addEmailChange(tokenHashOf(token), newEmail, account, expiresAt))) return;
    this.mailer.post(
      mailOf({
        to: newEmail,
        subject: 'Confirm your email for Omni Jackpot',
        title: 'Confirm your email',
        paragraphs: [
          `${account.gamerTag} wants this email for an Omni Jackpot account. If it was you, open this link within ${TOKEN_LIFETIME_TEXT}. It can be used only once.`,
          'If it was not you, you can ignore this email.',
        ],
        button: { text: 'Confirm this email', link: `${this.config.linkOrigin}/confirm-email?token=${token}` },
        because: 'You are receiving this email because somebody entered this address at Omni Jackpot.',
      }),
    );
  }

  private isFree(email: string, { gamerId }: Account): Promise<boolean> {
    return this.identities.mustBeFree({ email }, gamerId).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refused) return false;
        throw error;
      },
    );
  }
}

/** The reader of the new mailbox confirms, without a session: the request needed the password. */
@CommandHandler(ConfirmEmailChange)
export class ConfirmEmailChangeHandler implements ICommandHandler<ConfirmEmailChange> {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly limits: AttemptLimits,
    private readonly links: MailedLinksStore,
    private readonly identities: ExcludedIdentities,
    private readonly profiles: ProfileChanges,
    private readonly trail: SignInTrail,
    private readonly clock: Clock,
  ) {}

  async execute({ request, address, commandId }: ConfirmEmailChange): Promise<WithPosition<MessageResponse>> {
    await this.limits.countReset(address);
    const tokenHash = tokenHashOf(request.token);
    const wanted = await this.links.findEmailChange(tokenHash, new Date(this.clock.now()));
    const account = wanted && (await this.accounts.findById(wanted.gamerId));
    if (!account) throw new Refused('invalid-email-link');
    const { gamerId, role } = account;
    const { email } = wanted;
    await this.identities.mustBeFree({ email }, gamerId);
    const metadata = { actor: { id: gamerId, role }, commandId };
    const position = await this.profiles.execute({ gamerId, edit: { email } }, metadata, async (tables) => {
      if (!(await this.links.use('email_changes', tokenHash, gamerId, tables))) throw new Refused('invalid-email-link');
    });
    await this.trail.record({ type: 'email-changed', gamerId, address });
    return new WithPosition(position, { message: 'Your email is changed' });
  }
}
