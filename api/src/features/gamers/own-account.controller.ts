import {
  type BeforeApplicationShutdown,
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Injectable,
  Logger,
  Param,
  Post,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { MaxLength } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { canonicalEmail } from '../../../../contracts/email.js';
import type {
  ChangeEmailRequest,
  ChangePasswordRequest,
  ConfirmEmailRequest,
  OwnSession,
} from '../../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import { isStaff } from '../../../../contracts/ids.js';
import { RESET_TOKEN_LIFETIME_MS } from '../../../../contracts/limits.js';
import { digestOf } from '../../http/client-address.js';
import { CommandId, CurrentSession, LoggedIn, mustBeSteppedUp, type SessionGamer } from '../../http/session.js';
import { setSessionCookie } from '../../http/session-cookie.js';
import { SessionStore } from '../../http/sessions.store.js';
import { refuseAs, requiredText, trimmed } from '../../http/validation.js';
import { WithPosition } from '../../platform/bus-command.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { SignInTrail } from '../staff/sign-in-trail.store.js';
import { brokenByEmail, brokenByPassword } from './account.rules.js';
import { ProfileChanges } from './account-changes.store.js';
import { TOKEN_MAX_LENGTH } from './accounts.controller.js';
import { type Account, AccountsStore } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { ExcludedIdentities } from './excluded-identities.store.js';
import { canReceive, MailedLinksStore, newToken, TOKEN_LIFETIME_TEXT, tokenHashOf } from './mailed-links.store.js';
import { PasswordChanges } from './passwords.handlers.js';
import { CurrentPasswords } from './passwords.js';
import { mailOf, SecurityMails } from './security-mails.js';

/** The gamer of the session, and the address of the request. */
interface Asker {
  gamer: SessionGamer;
  address: string;
}

/** The changes a gamer makes to their own account. */
@Injectable()
export class OwnAccount implements BeforeApplicationShutdown {
  private readonly logger = new Logger('email-changes');
  private readonly sending = new Set<Promise<void>>();

  constructor(
    private readonly accounts: AccountsStore,
    private readonly current: CurrentPasswords,
    private readonly passwords: PasswordChanges,
    private readonly profiles: ProfileChanges,
    private readonly limits: AttemptLimits,
    private readonly links: MailedLinksStore,
    private readonly identities: ExcludedIdentities,
    private readonly mailer: Mailer,
    private readonly mails: SecurityMails,
    private readonly trail: SignInTrail,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.sending);
  }

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
   * Mails a link to the wanted address; nothing changes until it is used. The response must not tell whether the address belongs
   * to another gamer, or to an excluded one: the token and the mail, which only a free address gets, are made after it.
   */
  async requestEmailChange({ newEmail, currentPassword }: ChangeEmailRequest, asker: Asker): Promise<MessageResponse> {
    const broken = brokenByEmail(newEmail);
    if (broken) throw new Refused(broken);
    const account = await this.accounts.findById(asker.gamer.gamerId);
    if (!account) throw new Refused('gamer-not-found');
    if (canonicalEmail(account.email) === canonicalEmail(newEmail)) throw new Refused('email-unchanged');
    await this.current.check(currentPassword, asker);
    await this.limits.countEmailChange(account.gamerId, asker.address);
    if (this.mailer.canSend) {
      this.mails.emailChangeRequested(account);
      const sent = this.sendLink(account, newEmail)
        .catch((error: Error) => this.logger.error(`no confirmation link was sent: ${error.message}`))
        .finally(() => this.sending.delete(sent));
      this.sending.add(sent);
    }
    return {
      message: 'If this address can be used, a link was sent to it. Your email stays the same until you open it.',
    };
  }

  private async sendLink(account: Account, newEmail: string): Promise<void> {
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

  /** The reader of the new mailbox confirms, without a session: the request needed the password. */
  async confirmEmail(token: string, address: string, commandId: string): Promise<WithPosition<MessageResponse>> {
    await this.limits.countReset(address);
    const tokenHash = tokenHashOf(token);
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
