import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AuthStatus, GamerSession, ReferralLookup } from '../../../contracts/http/accounts.js';
import type { CommandId as Id } from '../../../contracts/ids.js';
import { CommandId } from '../http/command-id.js';
import { type WithPosition, withPosition } from '../http/position.interceptor.js';
import { Refused } from '../http/refused.js';
import { beginSession, endSession } from '../http/session-life.js';
import type { Account } from './account.entity.js';
import { LoginBody, RegisterBody } from './accounts.bodies.js';
import { AccountsStore } from './accounts.store.js';
import { addressOf } from './address.js';
import { Login } from './login.js';
import { Registration } from './registration.js';

@Controller('api')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly registration: Registration,
    private readonly login: Login,
  ) {}

  /** Opens an account and logs it in; a referral code says who sent the gamer. */
  @Post('register')
  async register(
    @Body() body: RegisterBody,
    @Req() request: Request,
  ): Promise<GamerSession | WithPosition<GamerSession>> {
    const { account, position } = await this.registration.register(body, addressOf(request), new Date());
    await beginSession(request, account.gamerId);
    return position === null ? sessionOf(account) : withPosition(position, sessionOf(account));
  }

  /** Logs in with GamerTag and password: a session cookie is set. */
  @Post('login')
  @HttpCode(200)
  async logIn(
    @Body() body: LoginBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CommandId() commandId: Id,
  ): Promise<GamerSession> {
    const attempt = { ...body, ip: addressOf(request), commandId };
    const account = await this.login.logIn(attempt, new Date());
    await beginSession(request, account.gamerId);
    // Once there is a session, and not before: what ends them all from now on ends this one too.
    if (!(await this.login.stillHolds(account))) {
      await endSession(request, response);
      throw new Refused('invalid-credentials');
    }
    return sessionOf(account);
  }

  /** Succeeds without a session too: being logged out is all that was asked for. */
  @Post('logout')
  @HttpCode(200)
  async logOut(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<{ message: string }> {
    await endSession(request, response);
    return { message: 'Logged out' };
  }

  /** Who the session belongs to, if there is one. */
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
