import { Body, Controller, Delete, Get, HttpCode, Injectable, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { MaxLength } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { canonicalEmail, mailboxOf } from '../../../../contracts/email.js';
import type {
  ChangeEmailRequest,
  ChangePasswordRequest,
  ConfirmEmailRequest,
  OwnSession,
} from '../../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import { isStaff } from '../../../../contracts/ids.js';
import { digestOf } from '../../http/client-address.js';
import { CommandId, CurrentSession, LoggedIn, mustBeSteppedUp, type SessionGamer } from '../../http/session.js';
import { setSessionCookie } from '../../http/session-cookie.js';
import { SessionStore } from '../../http/sessions.store.js';
import { refuseAs, requiredText, trimmed } from '../../http/validation.js';
import { WithPosition } from '../../platform/bus-command.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { SignInTrail } from '../staff/sign-in-trail.store.js';
import { brokenByEmail, brokenByPassword } from './account.rules.js';
import { ProfileChanges } from './account-changes.store.js';
import { AccountMails } from './account-mails.js';
import { TOKEN_MAX_LENGTH } from './accounts.controller.js';
import { AccountsStore } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { EmailLinks } from './email-links.js';
import { ExcludedMailboxes } from './excluded-mailboxes.store.js';
import { MailedLinksStore } from './mailed-links.store.js';
import { PasswordChanges } from './passwords.handlers.js';
import { CurrentPasswords } from './passwords.js';

/** The gamer of the session, and the address of the request. */
interface Asker {
  gamer: SessionGamer;
  address: string;
}

/** The changes a gamer makes to their own account. */
@Injectable()
export class OwnAccount {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly current: CurrentPasswords,
    private readonly passwords: PasswordChanges,
    private readonly profiles: ProfileChanges,
    private readonly limits: AttemptLimits,
    private readonly links: MailedLinksStore,
    private readonly mailboxes: ExcludedMailboxes,
    private readonly emailLinks: EmailLinks,
    private readonly mails: AccountMails,
    private readonly trail: SignInTrail,
  ) {}

  /** Ends all sessions but that of the request, which the controller replaces. */
  async changePassword(
    { currentPassword, newPassword: password, confirmPassword }: ChangePasswordRequest,
    asker: Asker & { sid: string },
    commandId: string,
  ): Promise<WithPosition<MessageResponse>> {
    const { gamerId, role } = asker.gamer;
    if (password !== confirmPassword) throw new Refused('passwords-do-not-match');
    const broken = brokenByPassword(password, role);
    if (broken) throw new Refused(broken);
    await this.current.check(currentPassword, asker);
    const metadata = { actor: { id: gamerId, role }, commandId };
    const position = await this.passwords.execute({ gamerId, password, by: 'gamer', keptSid: asker.sid }, metadata);
    await this.trail.record({ type: 'password-changed', gamerId, address: asker.address });
    return new WithPosition(position, { message: 'Your password is changed, and all other sessions have ended' });
  }

  /**
   * Mails a link to the wanted address, or to the present one while its mailbox is not confirmed; nothing changes until it is used.
   * The response must not tell whether the address belongs to another gamer, or to an excluded one: the token and the mail, which
   * only a free address gets, are made after it.
   */
  async requestEmailChange({ newEmail, currentPassword }: ChangeEmailRequest, asker: Asker): Promise<MessageResponse> {
    const broken = brokenByEmail(newEmail);
    if (broken) throw new Refused(broken);
    const account = await this.accounts.findById(asker.gamer.gamerId);
    if (!account) throw new Refused('gamer-not-found');
    const isOwn = canonicalEmail(account.email) === canonicalEmail(newEmail);
    if (isOwn && account.confirmedMailbox === mailboxOf(newEmail)) throw new Refused('email-unchanged');
    await this.current.check(currentPassword, asker);
    await this.limits.countReset(asker.address);
    if (isOwn) {
      this.emailLinks.sendForOwn(account.gamerId, 'has this email at Omni Jackpot.');
    } else {
      await this.limits.countEmailLink(account.gamerId);
      this.mails.emailChangeRequested(account);
      this.emailLinks.sendForChange(account, newEmail);
    }
    return {
      message: 'If this address can be used, a link was sent to it. Your email stays the same until you open it.',
    };
  }

  /** The reader of the new mailbox confirms, without a session: the request needed the password. */
  async confirmEmail(token: string, address: string, commandId: string): Promise<WithPosition<MessageResponse>> {
    await this.limits.countReset(address);
    const link = await this.links.find('confirm-email', token);
    const account = link && (await this.accounts.findById(link.gamerId));
    if (!account) throw new Refused('invalid-email-link');
    const { gamerId, role } = account;
    const { email } = link;
    const isOwn = canonicalEmail(email) === canonicalEmail(account.email);
    // The present email is confirmed also when another gamer was excluded with its mailbox: that exclusion then holds here too.
    if (!isOwn) await this.mailboxes.mustBeFree(email, gamerId);
    await this.emailLinks.confirmed({ gamerId, email, address, commandId });
    const metadata = { actor: { id: gamerId, role }, commandId };
    const position = await this.profiles.execute({ gamerId, edit: { email } }, metadata, async (tables) => {
      if (!(await this.links.use(link, tables))) throw new Refused('invalid-email-link');
    });
    if (isOwn) return new WithPosition(position, { message: 'Your email is confirmed' });
    await this.trail.record({ type: 'email-changed', gamerId, address });
    return new WithPosition(position, { message: 'Your email is changed' });
  }
}

export class ChangePasswordDto implements ChangePasswordRequest {
  @requiredText('all-fields-required')
  currentPassword!: string;

  @requiredText('all-fields-required')
  newPassword!: string;

  @requiredText('all-fields-required')
  confirmPassword!: string;
}

export class ChangeEmailDto implements ChangeEmailRequest {
  @trimmed
  @requiredText('all-fields-required')
  newEmail!: string;

  @requiredText('all-fields-required')
  currentPassword!: string;
}

export class ConfirmEmailDto implements ConfirmEmailRequest {
  @MaxLength(TOKEN_MAX_LENGTH, refuseAs('invalid-email-link'))
  @requiredText('invalid-email-link')
  token!: string;
}

/** A logged-in gamer changes their own account. */
@Controller('api/account')
export class OwnAccountController {
  constructor(
    private readonly account: OwnAccount,
    private readonly sessions: SessionStore,
    private readonly config: Config,
  ) {}

  /** Changes the gamer's own password; the current one is required, and all other sessions end. */
  @Post('password')
  @HttpCode(200)
  @UseGuards(LoggedIn)
  async changePassword(
    @CurrentSession() gamer: SessionGamer,
    @Body() body: ChangePasswordDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CommandId() commandId: string,
  ) {
    const asker = askerOf(gamer, request);
    const changed = await this.account.changePassword(body, asker, commandId);
    // Another id, against a session id that was stolen. It is no new login: the password alone must not prolong a step-up.
    const renewed = await this.sessions.renew(asker.sid);
    if (renewed !== null) setSessionCookie(request, reply, renewed, this.config);
    return changed;
  }

  /** Requests a mail with a link to another email; the response is the same whether the address is free or not. */
  @Post('email')
  @HttpCode(200)
  @UseGuards(LoggedIn)
  changeEmail(
    @CurrentSession() gamer: SessionGamer,
    @Body() body: ChangeEmailDto,
    @Req() request: FastifyRequest,
  ): Promise<MessageResponse> {
    return this.account.requestEmailChange(body, askerOf(gamer, request));
  }

  /** Changes the email with the token of the mailed link. */
  @Post('email/confirm')
  @HttpCode(200)
  confirmEmail(@Body() body: ConfirmEmailDto, @Req() request: FastifyRequest, @CommandId() commandId: string) {
    return this.account.confirmEmail(body.token, request.ip, commandId);
  }

  /** The gamer's own sessions, newest first. */
  @Get('sessions')
  @UseGuards(LoggedIn)
  async listSessions(
    @CurrentSession() { gamerId }: SessionGamer,
    @Req() { session }: FastifyRequest,
  ): Promise<OwnSession[]> {
    const own = await this.sessions.listOf(gamerId);
    return own.map(({ sid, ...rest }) => ({ id: this.publicId(sid), ...rest, isCurrent: sid === session?.sid }));
  }

  /** Ends one of the gamer's own sessions, and closes its sockets. */
  @Delete('sessions/:id')
  @UseGuards(LoggedIn)
  async endSession(@CurrentSession() { gamerId }: SessionGamer, @Param('id') id: string): Promise<MessageResponse> {
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

/** Staff prove their second factor first: their password alone must not move their account to another mailbox. */
function askerOf(gamer: SessionGamer, { ip, session }: FastifyRequest) {
  if (isStaff(gamer.role)) mustBeSteppedUp(session);
  return { gamer, address: ip, sid: session?.sid ?? '' };
}
