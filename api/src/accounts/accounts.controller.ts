import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import type { AuthStatus, GamerSession, ReferralLookup } from '../../../contracts/http/accounts.js';
import type { MessageResponse } from '../../../contracts/http/gamers.js';
import { addressOf } from '../http/client-address.js';
import { deviceOf, rememberGamer } from '../http/device-cookie.js';
import { CommandId } from '../http/session.js';
import { beginSession, endSession } from '../http/session-cookie.js';
import { SessionStore } from '../http/session-store.js';
import { WithPosition } from '../platform/bus-command.js';
import { Config } from '../platform/config.js';
import { Refused } from '../platform/failures.js';
import type { Account } from './account.entity.js';
import { LoginDto, RegisterDto, RequestPasswordResetDto, ResetPasswordDto } from './accounts.dto.js';
import { AccountsStore } from './accounts.store.js';
import { LogIn, Register } from './log-in-and-register.handlers.js';
import { RequestPasswordReset, ResetPassword } from './passwords.handlers.js';

@Controller('api')
export class AccountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: AccountsStore,
    private readonly sessions: SessionStore,
    private readonly config: Config,
  ) {}

  /** Opens an account and logs it in; a referral code names the sponsor. */
  @Post('register')
  async register(
    @Body() body: RegisterDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GamerSession | WithPosition<GamerSession>> {
    const { account, position } = await this.commands.execute(new Register(body, addressOf(request)));
    await this.beginSession(request, response, account);
    return position === null ? sessionOf(account) : new WithPosition(position, sessionOf(account));
  }

  /** Logs in with GamerTag and password: a session cookie is set. */
  @Post('login')
  @HttpCode(200)
  async logIn(
    @Body() body: LoginDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CommandId() commandId: string,
  ): Promise<GamerSession> {
    const account = await this.commands.execute(new LogIn(body, addressOf(request), deviceOf(request), commandId));
    await this.beginSession(request, response, account);
    // A password change that ended all sessions before this one began must end this one too.
    if (!(await this.accounts.hasPasswordOf(account))) {
      await endSession(request, response);
      throw new Refused('invalid-credentials');
    }
    return sessionOf(account);
  }

  private async beginSession(request: Request, response: Response, { gamerId }: Account): Promise<void> {
    await beginSession(request, gamerId);
    await this.sessions.endOldestOf(gamerId, request.sessionID);
    rememberGamer(request, response, gamerId, this.config);
  }

  /** Logs out; succeeds without a session too. */
  @Post('logout')
  @HttpCode(200)
  async logOut(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<MessageResponse> {
    await endSession(request, response);
    return { message: 'Logged out' };
  }

  /** Requests a mail with a reset link; the response is the same whether the account exists or not. */
  @Post('request-password-reset')
  @HttpCode(200)
  requestPasswordReset(@Body() body: RequestPasswordResetDto, @Req() request: Request) {
    return this.commands.execute(new RequestPasswordReset(body, addressOf(request)));
  }

  /** Sets a new password with the token of a reset link. */
  @Post('reset-password')
  @HttpCode(200)
  resetPassword(@Body() body: ResetPasswordDto, @Req() request: Request, @CommandId() commandId: string) {
    return this.commands.execute(new ResetPassword(body, addressOf(request), commandId));
  }

  /** The gamer a session belongs to, if there is one. */
  @Get('auth/status')
  async status(@Req() request: Request): Promise<AuthStatus> {
    const { gamerId } = request.session;
    const account = gamerId === undefined ? null : await this.accounts.findById(gamerId);
    return account ? { isAuthenticated: true, ...sessionOf(account) } : { isAuthenticated: false };
  }

  /** Whether a referral code exists, and whose it is. */
  @Get('ref/:code')
  async referral(@Param('code') code: string): Promise<ReferralLookup> {
    const owner = await this.accounts.findByRefCode(code);
    return { exists: owner !== null, ownerUsername: owner?.gamerTag ?? null };
  }
}

const sessionOf = ({ gamerId, gamerTag, email, refCode, role }: Account): GamerSession => ({
  id: gamerId,
  gamerTag,
  email,
  refCode,
  role,
});
