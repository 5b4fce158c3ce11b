import { Body, Controller, Delete, Get, Ip, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { canonicalEmail } from '../../../../contracts/email.js';
import type * as http from '../../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import { isStaff } from '../../../../contracts/ids.js';
import { EMAIL_MAX_LENGTH } from '../../../../contracts/limits.js';
import { digestOf } from '../../http/client-address.js';
import { setSessionCookie } from '../../http/cookies.js';
import { LoggedIn, mustBeSteppedUp } from '../../http/guards.js';
import { messageAt } from '../../http/position.interceptors.js';
import { CurrentGamer, IdempotencyKey, PostCommand, type SessionGamer } from '../../http/session.js';
import { SessionStore } from '../../http/sessions.store.js';
import { requiredText, trimmedText } from '../../http/validation.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { SecurityTrail } from '../staff/security-trail.store.js';
import { emailRefusal, newPasswordRefusal } from './account.rules.js';
import { AccountChanges } from './account-changes.store.js';
import { MailedLinks } from './mailed-links.store.js';
import { AccountPasswords } from './passwords.js';

export class ChangePasswordDto implements http.ChangePasswordRequest {
  @requiredText('all-fields-required') currentPassword!: string;
  @requiredText('all-fields-required') newPassword!: string;
  @requiredText('all-fields-required') confirmPassword!: string;
}

@Controller('api/account')
@UseGuards(LoggedIn)
export class OwnAccountController {
  constructor(
    private readonly passwords: AccountPasswords,
    private readonly sessions: SessionStore,
    private readonly config: Config,
  ) {}

  /** Changes the gamer's own password; the current one is required, and all other sessions end. */
  @PostCommand('password')
  async changePassword(
    @CurrentGamer() { gamerId, role }: SessionGamer,
    @Body() { currentPassword, newPassword: password, confirmPassword }: ChangePasswordDto,
    @Res({ passthrough: true }) reply: FastifyReply,
    @IdempotencyKey() commandId: string,
  ) {
    const { ip: address, session } = reply.request;
    if (isStaff(role)) mustBeSteppedUp(session);
    const keptSid = session?.sid ?? '';
    if (password !== confirmPassword) throw new Refused('passwords-do-not-match');
    const code = newPasswordRefusal(password, role);
    if (code) throw new Refused(code);
    await this.passwords.check(gamerId, currentPassword, address);
    const metadata = { actor: { id: gamerId, role }, commandId };
    const position = await this.passwords.change({ gamerId, password, by: 'gamer', address, keptSid }, metadata);
    // Another id, against a session id that was stolen. It is not a new login: the password alone must not prolong a step-up.
    const renewed = await this.sessions.renew(keptSid);
    if (renewed !== null) setSessionCookie(reply, renewed, this.config);
    return messageAt(position, 'Your password is changed, and all other sessions have ended');
  }

  /** The gamer's own sessions, newest first. */
  @Get('sessions')
  async listSessions(
    @CurrentGamer() { gamerId }: SessionGamer,
    @Req() { session }: FastifyRequest,
  ): Promise<http.OwnSession[]> {
    const own = await this.sessions.listOf(gamerId);
    return own.map(({ sid, ...rest }) => ({ id: this.publicId(sid), ...rest, isCurrent: sid === session?.sid }));
  }

  /** Ends one of the gamer's own sessions, and closes its sockets. */
  @Delete('sessions/:id')
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

const TOKEN_MAX_LENGTH = 200;

export class RequestPasswordResetDto {
  @trimmedText('all-fields-required') gamerTag!: string;
  @trimmedText('all-fields-required', EMAIL_MAX_LENGTH, 'invalid-email') email!: string;
}

export class ResetLinkDto {
  @requiredText('invalid-reset-token', TOKEN_MAX_LENGTH) token!: string;
}

export class ResetPasswordDto extends ResetLinkDto implements http.ResetPasswordRequest {
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

@Controller('api')
export class MailedLinksController {
  constructor(
    private readonly links: MailedLinks,
    private readonly passwords: AccountPasswords,
    private readonly changes: AccountChanges,
    private readonly trail: SecurityTrail,
  ) {}

  /** Requests a mail with a reset link; the response is the same whether the account exists or not (decision 33). */
  @PostCommand('request-password-reset')
  async requestPasswordReset(
    @Body() { gamerTag, email }: RequestPasswordResetDto,
    @Ip() address: string,
  ): Promise<MessageResponse> {
    const gamerId = await this.links.requestReset(gamerTag, email, address);
    await this.trail.record({ type: 'reset-requested', gamerId, address });
    return { message: 'If your account exists, a password reset email has been sent. Please check your email.' };
  }

  /** Whether a reset link can still be used; it stays unused. */
  @PostCommand('reset-password/check')
  async checkResetLink(@Body() { token }: ResetLinkDto): Promise<MessageResponse> {
    await this.links.find('reset-password', token);
    return { message: 'The link can be used' };
  }

  /** Sets a new password with the token of a reset link. */
  @PostCommand('reset-password')
  async resetPassword(@Body() body: ResetPasswordDto, @Ip() address: string, @IdempotencyKey() commandId: string) {
    const { token, newPassword: password, confirmPassword } = body;
    if (password !== confirmPassword) throw new Refused('passwords-do-not-match');
    const code = newPasswordRefusal(password);
    if (code) throw new Refused(code);
    const { link, account } = await this.links.follow('reset-password', token, address, commandId);
    const { gamerId, role } = account;
    const metadata = { actor: { id: gamerId, role }, commandId };
    const position = await this.passwords.change({ gamerId, password, by: 'reset-link', address }, metadata, link);
    return messageAt(position, 'Your password has been updated successfully. Please log in with your new password.');
  }

  /** Requests a mail with a link to another email; the response is the same whether the address is free or not. */
  @PostCommand('account/email')
  @UseGuards(LoggedIn)
  async changeEmail(
    @CurrentGamer() { gamerId, role }: SessionGamer,
    @Body() { newEmail, currentPassword }: ChangeEmailDto,
    @Req() { session, ip: address }: FastifyRequest,
  ): Promise<MessageResponse> {
    // Staff's password alone must not move their account to another mailbox.
    if (isStaff(role)) mustBeSteppedUp(session);
    const code = emailRefusal(newEmail);
    if (code) throw new Refused(code);
    await this.passwords.check(gamerId, currentPassword, address);
    await this.links.requestChange(gamerId, newEmail, address);
    // The token and the mail, which only a free address gets, are made after the response.
    return {
      message: 'If this address can be used, a link was sent to it. Your email stays the same until you open it.',
    };
  }

  /** Changes the email with the token of the mailed link. */
  @PostCommand('account/email/confirm')
  async confirmEmail(@Body() { token }: ConfirmEmailDto, @Ip() address: string, @IdempotencyKey() commandId: string) {
    const { link, account } = await this.links.follow('confirm-email', token, address, commandId);
    const { gamerId, role } = account;
    const metadata = { actor: { id: gamerId, role }, commandId };
    const position = await this.changes.changeProfile(gamerId, { email: link.email }, metadata, link);
    if (canonicalEmail(link.email) === canonicalEmail(account.email))
      return messageAt(position, 'Your email is confirmed');
    await this.trail.record({ type: 'email-changed', gamerId, address });
    return messageAt(position, 'Your email is changed');
  }
}
