import { Body, Controller, Delete, Get, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { canonicalEmail, mailboxOf } from '../../../../contracts/email.js';
import type * as http from '../../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import { isStaff } from '../../../../contracts/ids.js';
import { digestOf } from '../../http/client-address.js';
import { setSessionCookie } from '../../http/cookies.js';
import { LoggedIn, mustBeSteppedUp } from '../../http/guards.js';
import { CurrentGamer, IdempotencyKey, PostCommand, type SessionGamer } from '../../http/session.js';
import { SessionStore } from '../../http/sessions.store.js';
import { requiredText, trimmedText } from '../../http/validation.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { WithPosition } from '../../platform/with-position.js';
import { SecurityTrail } from '../staff/security-trail.store.js';
import { emailRefusal, newPasswordRefusal } from './account.rules.js';
import { AccountChanges } from './account-changes.store.js';
import { AccountMails } from './account-mails.js';
import { AccountsStore } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { ExcludedMailboxes } from './excluded-mailboxes.store.js';
import { MailedLinks } from './mailed-links.store.js';
import { TOKEN_MAX_LENGTH } from './password-resets.controller.js';
import { AccountPasswords } from './passwords.js';

export class ChangePasswordDto implements http.ChangePasswordRequest {
  @requiredText('all-fields-required') currentPassword!: string;
  @requiredText('all-fields-required') newPassword!: string;
  @requiredText('all-fields-required') confirmPassword!: string;
}

export class ChangeEmailDto implements http.ChangeEmailRequest {
  @trimmedText('all-fields-required') newEmail!: string;
  @requiredText('all-fields-required') currentPassword!: string;
}

export class ConfirmEmailDto implements http.ConfirmEmailRequest {
  @requiredText('invalid-email-link', TOKEN_MAX_LENGTH) token!: string;
}

/**
 * The changes a gamer makes to their own account. Staff prove their second factor first: their password alone must not move
 * their account to another mailbox.
 */
@Controller('api/account')
export class OwnAccountController {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly passwords: AccountPasswords,
    private readonly profiles: AccountChanges,
    private readonly limits: AttemptLimits,
    private readonly mailboxes: ExcludedMailboxes,
    private readonly links: MailedLinks,
    private readonly mails: AccountMails,
    private readonly trail: SecurityTrail,
    private readonly sessions: SessionStore,
    private readonly config: Config,
  ) {}

  /** Changes the gamer's own password; the current one is required, and all other sessions end. */
  @PostCommand('password')
  @UseGuards(LoggedIn)
  async changePassword(
    @CurrentGamer() gamer: SessionGamer,
    @Body() { currentPassword, newPassword: password, confirmPassword }: ChangePasswordDto,
    @Res({ passthrough: true }) reply: FastifyReply,
    @IdempotencyKey() commandId: string,
  ): Promise<WithPosition<MessageResponse>> {
    const { gamerId, role } = gamer;
    const { ip: address, session } = reply.request;
    if (isStaff(role)) mustBeSteppedUp(session);
    const keptSid = session?.sid ?? '';
    if (password !== confirmPassword) throw new Refused('passwords-do-not-match');
    const code = newPasswordRefusal(password, role);
    if (code) throw new Refused(code);
    await this.passwords.check(gamerId, currentPassword, address);
    const metadata = { actor: { id: gamerId, role }, commandId };
    const position = await this.passwords.change({ gamerId, password, by: 'gamer', keptSid }, metadata);
    await this.trail.record({ type: 'password-changed', gamerId, address });
    // Another id, against a session id that was stolen. It is not a new login: the password alone must not prolong a step-up.
    const renewed = await this.sessions.renew(keptSid);
    if (renewed !== null) setSessionCookie(reply, renewed, this.config);
    return new WithPosition(position, { message: 'Your password is changed, and all other sessions have ended' });
  }

  /** Requests a mail with a link to another email; the response is the same whether the address is free or not. */
  @PostCommand('email')
  @UseGuards(LoggedIn)
  async changeEmail(
    @CurrentGamer() gamer: SessionGamer,
    @Body() { newEmail, currentPassword }: ChangeEmailDto,
    @Req() request: FastifyRequest,
  ): Promise<MessageResponse> {
    if (isStaff(gamer.role)) mustBeSteppedUp(request.session);
    const address = request.ip;
    const code = emailRefusal(newEmail);
    if (code) throw new Refused(code);
    const account = await this.accounts.findById(gamer.gamerId);
    if (!account) throw new Refused('gamer-not-found');
    const isOwn = canonicalEmail(account.email) === canonicalEmail(newEmail);
    if (isOwn && account.confirmedMailbox === mailboxOf(newEmail)) throw new Refused('email-unchanged');
    await this.passwords.check(gamer.gamerId, currentPassword, address);
    await this.limits.countReset(address);
    if (isOwn) {
      this.links.sendForOwn(account.gamerId, 'has this email at Omni Jackpot.');
    } else {
      await this.limits.countEmailLink(account.gamerId);
      // Sent whether the wanted address is free or not: a difference would reveal who is registered.
      this.mails.post(account, 'email-change-requested');
      this.links.sendForChange(account, newEmail);
    }
    // The token and the mail, which only a free address gets, are made after the response.
    return {
      message: 'If this address can be used, a link was sent to it. Your email stays the same until you open it.',
    };
  }

  /** Changes the email with the token of the mailed link. */
  @PostCommand('email/confirm')
  async confirmEmail(
    @Body() { token }: ConfirmEmailDto,
    @Req() { ip: address }: FastifyRequest,
    @IdempotencyKey() commandId: string,
  ): Promise<WithPosition<MessageResponse>> {
    const { link, account } = await this.links.open('confirm-email', token, address);
    const { gamerId, role } = account;
    const { email } = link;
    const isOwn = canonicalEmail(email) === canonicalEmail(account.email);
    // The current email is confirmed even when another gamer was excluded with its mailbox: that exclusion then holds here too.
    if (!isOwn) await this.mailboxes.mustNotBeBarred(email, gamerId);
    await this.links.confirmed(link, address, commandId);
    const metadata = { actor: { id: gamerId, role }, commandId };
    const position = await this.profiles.changeProfile(gamerId, { email }, metadata, link);
    if (isOwn) return new WithPosition(position, { message: 'Your email is confirmed' });
    await this.trail.record({ type: 'email-changed', gamerId, address });
    return new WithPosition(position, { message: 'Your email is changed' });
  }

  /** The gamer's own sessions, newest first. */
  @Get('sessions')
  @UseGuards(LoggedIn)
  async listSessions(
    @CurrentGamer() { gamerId }: SessionGamer,
    @Req() { session }: FastifyRequest,
  ): Promise<http.OwnSession[]> {
    const own = await this.sessions.listOf(gamerId);
    return own.map(({ sid, ...rest }) => ({ id: this.publicId(sid), ...rest, isCurrent: sid === session?.sid }));
  }

  /** Ends one of the gamer's own sessions, and closes its sockets. */
  @Delete('sessions/:id')
  @UseGuards(LoggedIn)
  async endSession(@CurrentGamer() { gamerId }: SessionGamer, @Param('id') id: string): Promise<MessageResponse> {
    const session = (await this.sessions.listOf(gamerId)).find(({ sid }) => this.publicId(sid) === id);
    if (!session) throw new Refused('session-not-found');
    await this.sessions.end(session.sid);
    return { message: 'The session has ended' };
  }

  /** A session's own id opens the account, so it never leaves the server but in its cookie. */
  private publicId(sid: string): string {
    return digestOf(`session ${sid}`, this.config.sessionSecret);
  }
}
