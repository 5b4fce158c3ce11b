import { Injectable } from '@nestjs/common';
import { canonicalEmail } from '../../../../contracts/email.js';
import type { RequestPasswordResetRequest, ResetPasswordRequest } from '../../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { CommandId, GamerId } from '../../../../contracts/ids.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { SessionStore } from '../../http/sessions.store.js';
import { StreamCommands } from '../../ledger/stream-commands.js';
import { Refused } from '../../platform/failures.js';
import { type Mail, Mailer } from '../../platform/mail/mailer.js';
import { WithPosition } from '../../platform/with-position.js';
import { SignInTrail } from '../staff/sign-in-trail.store.js';
import { brokenByPassword } from './account.rules.js';
import { AccountMails, letterTo } from './account-mails.js';
import { type Account, AccountsStore, type Tables } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { EmailLinks } from './email-links.js';
import { onGamer } from './gamer-log.js';
import { MailedLinksStore, TOKEN_LIFETIME_TEXT } from './mailed-links.store.js';
import { Passwords } from './passwords.js';

interface PasswordChange {
  gamerId: GamerId;
  password: string;
  by: 'reset-link' | 'admin' | 'gamer';
  /** The session that goes on; absent: all end. */
  keptSid?: string;
}

@Injectable()
export class PasswordChanges {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly passwords: Passwords,
    private readonly sessions: SessionStore,
    private readonly streams: StreamCommands,
    private readonly limits: AttemptLimits,
    private readonly links: MailedLinksStore,
    private readonly emailLinks: EmailLinks,
    private readonly mails: AccountMails,
    private readonly mailer: Mailer,
    private readonly trail: SignInTrail,
  ) {}

  /**
   * Changes a password, ends the sessions of the gamer and voids mailed links. Returns the event's position.
   * `inTransaction` runs first in the same transaction and may refuse. Throws Refused or Unavailable.
   */
  async change(
    { gamerId, password, by, keptSid }: PasswordChange,
    metadata: CommandMetadata,
    inTransaction: (tables: Tables) => Promise<void> = async () => {},
  ): Promise<string> {
    const account = await this.accounts.findById(gamerId);
    if (!account) throw new Refused('gamer-not-found');
    const broken = brokenByPassword(password, account.role);
    if (broken) throw new Refused(broken);
    const passwordHash = await this.passwords.hash(password);
    const fingerprint = await this.passwords.fingerprint(password, metadata.commandId);
    let position = '';
    await this.accounts.change(gamerId, { passwordHash }, async (tables) => {
      await inTransaction(tables);
      const recorded = await this.streams.execute({
        ...onGamer(gamerId, () => ({ events: [{ type: 'PasswordChanged', data: { gamerId, by } }] })),
        metadata,
        content: { type: 'ChangePassword', how: by, password: fingerprint },
      });
      position = recorded.position;
      await this.links.dropAllOf(gamerId, tables);
      await this.sessions.endOthersOf(gamerId, keptSid);
      return { passwordHash };
    });
    // A login with the old password may have begun a session before the transaction committed.
    await this.sessions.endOthersOf(gamerId, keptSid);
    this.mails.passwordChanged(gamerId);
    return position;
  }

  /**
   * Mails a reset link (decision 33). The response must not tell whether the account exists: the account is looked up in
   * every case, and the token and the mail, which only an existing account needs, are made after the response.
   */
  async requestReset({ gamerTag, email }: RequestPasswordResetRequest, address: string): Promise<MessageResponse> {
    await this.limits.countResetRequest({ gamerTag, email, address });
    const found = await this.accounts.findByTagOrEmail(gamerTag);
    const account = found && canonicalEmail(found.email) === canonicalEmail(email) ? found : null;
    await this.trail.record({ type: 'reset-requested', gamerId: account?.gamerId ?? null, address });
    if (account) this.mailer.write('a reset link', () => this.linkTo(account));
    return { message: 'If your account exists, a password reset email has been sent. Please check your email.' };
  }

  async checkLink(token: string): Promise<MessageResponse> {
    if ((await this.links.find('reset-password', token)) === null) throw new Refused('invalid-reset-token');
    return { message: 'The link can be used' };
  }

  /** Sets the password with the token of a mailed link. */
  async reset(
    { token, newPassword: password, confirmPassword }: ResetPasswordRequest,
    address: string,
    commandId: CommandId,
  ): Promise<WithPosition<MessageResponse>> {
    await this.limits.countReset(address);
    if (password !== confirmPassword) throw new Refused('passwords-do-not-match');
    const broken = brokenByPassword(password);
    if (broken) throw new Refused(broken);
    const link = await this.links.find('reset-password', token);
    const account = link && (await this.accounts.findById(link.gamerId));
    if (!account) throw new Refused('invalid-reset-token');
    await this.emailLinks.confirmed(link, address, commandId);
    const { gamerId, role } = account;
    const metadata = { actor: { id: gamerId, role }, commandId };
    const position = await this.change({ gamerId, password, by: 'reset-link' }, metadata, async (tables) => {
      if (!(await this.links.use(link, tables))) throw new Refused('invalid-reset-token');
    });
    await this.trail.record({ type: 'password-reset', gamerId, address });
    const message = 'Your password has been updated successfully. Please log in with your new password.';
    return new WithPosition(position, { message });
  }

  private async linkTo(account: Account): Promise<Mail | null> {
    const link = await this.links.create('reset-password', account.email, account);
    return link === null ? null : letterTo(account, 'reset-password', { lifetime: TOKEN_LIFETIME_TEXT }, link);
  }
}
