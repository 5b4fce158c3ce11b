import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthStatus, GamerSession, ReferralLookup } from '../../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import { isStaff } from '../../../../contracts/ids.js';
import { deviceOf, knowsGamer } from '../../http/device-cookie.js';
import { CommandId } from '../../http/session.js';
import { clearSessionCookie } from '../../http/session-cookie.js';
import { SessionStore } from '../../http/sessions.store.js';
import { WithPosition } from '../../platform/bus-command.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import type { Account } from './account.entity.js';
import { LoginDto, RegisterDto, RequestPasswordResetDto, ResetPasswordDto } from './accounts.dto.js';
import { AccountsStore } from './accounts.store.js';
import { BrowserSessions, deviceNameOf } from './browser-sessions.js';
import { LogIn, Register } from './log-in-and-register.handlers.js';
import { RequestPasswordReset, ResetPassword } from './passwords.handlers.js';
import { SecurityMails } from './security-mails.js';

@Controller('api')
export class AccountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: AccountsStore,
    private readonly sessions: SessionStore,
    private readonly browserSessions: BrowserSessions,
    private readonly mails: SecurityMails,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Opens an account and logs it in; a referral code names the sponsor. */
  @Post('register')
  async register(
    @Body() body: RegisterDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GamerSession | WithPosition<GamerSession>> {
    const { account, position } = await this.commands.execute(new Register(body, request.ip));
    await this.browserSessions.begin(request, reply, account, false);
    return position === null ? this.sessionOf(account) : new WithPosition(position, this.sessionOf(account));
  }

  /** Logs in with GamerTag and password, and staff with the code of their second factor: a session cookie is set. */
  @Post('login')
  @HttpCode(200)
  async logIn(
    @Body() body: LoginDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CommandId() commandId: string,
  ): Promise<GamerSession> {
    const device = deviceOf(request, this.config);
    const { account, hasSecondFactor } = await this.commands.execute(new LogIn(body, request.ip, device, commandId));
    const sid = await this.browserSessions.begin(request, reply, account, hasSecondFactor);
    // A password change that ended all sessions before this one began must end this one too.
    if (!(await this.accounts.hasPasswordOf(account))) {
      await this.sessions.end(sid);
      clearSessionCookie(request, reply, this.config);
      throw new Refused('invalid-credentials');
    }
    if (!knowsGamer(device, account.gamerId, this.config.sessionSecret))
      this.mails.newDevice(account, deviceNameOf(request.headers['user-agent']), this.clock.now());
    const mustEnrol = isStaff(account.role) && this.config.isHttpsOnly && !hasSecondFactor;
    return this.sessionOf(account, mustEnrol);
  }

  /** Logs out; succeeds without a session too. */
  @Post('logout')
  @HttpCode(200)
  async logOut(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MessageResponse> {
    if (request.session) await this.sessions.end(request.session.sid);
    clearSessionCookie(request, reply, this.config);
    return { message: 'Logged out' };
  }

  /** Requests a mail with a reset link; the response is the same whether the account exists or not. */
  @Post('request-password-reset')
  @HttpCode(200)
  requestPasswordReset(@Body() body: RequestPasswordResetDto, @Req() request: FastifyRequest) {
    return this.commands.execute(new RequestPasswordReset(body, request.ip));
  }

  /** Sets a new password with the token of a reset link. */
  @Post('reset-password')
  @HttpCode(200)
  resetPassword(@Body() body: ResetPasswordDto, @Req() request: FastifyRequest, @CommandId() commandId: string) {
    return this.commands.execute(new ResetPassword(body, request.ip, commandId));
  }

  /** The gamer a session belongs to, if there is one. */
  @Get('auth/status')
  async status(@Req() request: FastifyRequest): Promise<AuthStatus> {
    const gamer = await this.accounts.gamerOfSession(request.session);
    const account = gamer && (await this.accounts.findById(gamer.gamerId));
    return account
      ? { isAuthenticated: true, ...this.sessionOf(account, gamer.needsSecondFactor) }
      : { isAuthenticated: false };
  }

  /** Whether a referral code exists, and whose it is. */
  @Get('ref/:code')
  async referral(@Param('code') code: string): Promise<ReferralLookup> {
    const owner = await this.accounts.findByRefCode(code);
    return { exists: owner !== null, ownerUsername: owner?.gamerTag ?? null };
  }

  private sessionOf(account: Account, needsSecondFactor = false): GamerSession {
    const { gamerId, gamerTag, email, refCode, role } = account;
    const powers = role === 'operator' ? this.accounts.powersOf(gamerId) : [];
    return { id: gamerId, gamerTag, email, refCode, role, powers, ...(needsSecondFactor && { needsSecondFactor }) };
  }
}
