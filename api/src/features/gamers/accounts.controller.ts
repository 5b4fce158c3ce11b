import { applyDecorators, Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as http from '../../../../contracts/http/gamers.js';
import { GAMER, type MessageResponse } from '../../../../contracts/http/headers.js';
import { isStaff } from '../../../../contracts/ids.js';
import { newYorkTimeText } from '../../../../contracts/new-york-texts.js';
import { clearSessionCookie, deviceOf, knowsGamer, rememberGamer, setSessionCookie } from '../../http/cookies.js';
import { WithPosition } from '../../http/position.interceptors.js';
import { PostCommand } from '../../http/session.js';
import { SessionStore } from '../../http/sessions.store.js';
import { refuseAs, requiredText, trimmed, trimmedText } from '../../http/validation.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { AccountMails } from './account-mails.js';
import { type Account, AccountsStore, isConfirmed } from './accounts.store.js';
import { Logins, Registrations } from './logins.js';

export const CODE_MAX_LENGTH = 64;
export const optionalCode = applyDecorators(
  IsString(refuseAs('wrong-code')),
  MaxLength(CODE_MAX_LENGTH, refuseAs('wrong-code')),
  IsOptional(),
);

export class RegisterDto implements http.RegisterRequest {
  @trimmedText('all-fields-required') username!: string;
  @trimmedText('all-fields-required') email!: string;
  @requiredText('all-fields-required') password!: string;

  @trimmed
  @IsOptional()
  @IsString(refuseAs('referral-code-not-found'))
  referralCode?: string | null;
}

export class LoginDto implements http.LoginRequest {
  @trimmedText('all-fields-required') username!: string;
  @requiredText('all-fields-required') password!: string;
  @optionalCode code?: string;
}

/** The order counts, because a user agent also names the browsers that it resembles. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** "Firefox on Windows". Only these words, never the header's own: everybody can send any header. */
export function deviceNameOf(userAgent: string | undefined): string {
  const nameIn = (names: readonly [RegExp, string][]) => names.find(([sign]) => sign.test(userAgent ?? ''))?.[1];
  return `${nameIn(BROWSERS) ?? 'Another browser'} on ${nameIn(SYSTEMS) ?? 'another system'}`;
}

@Controller('api')
export class AccountsController {
  constructor(
    private readonly registrations: Registrations,
    private readonly logins: Logins,
    private readonly accounts: AccountsStore,
    private readonly sessions: SessionStore,
    private readonly mails: AccountMails,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Opens an account and logs it in; a referral code names the sponsor. */
  @Post('register')
  async register(
    @Body() body: RegisterDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<http.GamerSession | WithPosition<http.GamerSession>> {
    const { account, position } = await this.registrations.register(body, reply.request.ip);
    await this.beginSession(reply, account, false);
    return position === null ? this.sessionOf(account) : new WithPosition(position, this.sessionOf(account));
  }

  /** Logs in with GamerTag or email and password, and staff with the code of their second factor: a session cookie is set. */
  @PostCommand('login')
  async logIn(@Body() body: LoginDto, @Res({ passthrough: true }) reply: FastifyReply): Promise<http.GamerSession> {
    const { request } = reply;
    const device = deviceOf(request, this.config);
    const { account, hasSecondFactor } = await this.logins.logIn({ ...body, device }, request.ip);
    const sid = await this.beginSession(reply, account, hasSecondFactor);
    // A password change that ended all sessions before this one began must end this one too.
    if ((await this.accounts.findById(account.gamerId))?.passwordHash !== account.passwordHash) {
      await this.sessions.end(sid);
      clearSessionCookie(reply, this.config);
      throw new Refused('invalid-credentials');
    }
    if (!knowsGamer(device, account.gamerId, this.config.sessionSecret)) {
      const name = deviceNameOf(request.headers['user-agent']);
      this.mails.post(account, 'new-device', { device: name, time: newYorkTimeText(this.clock.now()) });
    }
    const mustEnrol = isStaff(account.role) && this.config.isHttpsOnly && !hasSecondFactor;
    return this.sessionOf(account, mustEnrol);
  }

  /** Logs out; succeeds without a session too. */
  @PostCommand('logout')
  async logOut(@Res({ passthrough: true }) reply: FastifyReply): Promise<MessageResponse> {
    const { session } = reply.request;
    if (session) await this.sessions.end(session.sid);
    clearSessionCookie(reply, this.config);
    return { message: 'Logged out' };
  }

  /** The gamer a session belongs to, if there is one. */
  @Get('auth/status')
  async status(@Req() request: FastifyRequest): Promise<http.AuthStatus> {
    const gamer = await this.accounts.gamerOfSession(request.session);
    const account = gamer && (await this.accounts.findById(gamer.gamerId));
    return account
      ? { isAuthenticated: true, ...this.sessionOf(account, gamer.needsSecondFactor) }
      : { isAuthenticated: false };
  }

  /** Whether a referral code exists, and whose it is. */
  @Get('ref/:code')
  async referral(@Param('code') code: string): Promise<http.ReferralLookup> {
    const owner = await this.accounts.findByRefCode(code);
    return { exists: owner !== null, ownerUsername: owner?.gamerTag ?? null };
  }

  /** Begins a session under a new id, against session fixation. The former one ends last, because its sockets close at once. */
  private async beginSession(reply: FastifyReply, { gamerId, role }: Account, hasSecondFactor: boolean) {
    const { headers, session } = reply.request;
    const device = deviceNameOf(headers['user-agent']);
    const sid = await this.sessions.begin(gamerId, { device, isStaff: isStaff(role), hasSecondFactor });
    setSessionCookie(reply, sid, this.config);
    reply.header(GAMER, gamerId);
    rememberGamer(reply, gamerId, this.config);
    if (session) await this.sessions.end(session.sid);
    return sid;
  }

  private sessionOf(account: Account, needsSecondFactor = false): http.GamerSession {
    const { gamerId, gamerTag, email, refCode, role } = account;
    return {
      id: gamerId,
      gamerTag,
      email,
      refCode,
      role,
      powers: this.accounts.powersOf(gamerId, role),
      ...(isConfirmed(account) && { isEmailConfirmed: true }),
      ...(needsSecondFactor && { needsSecondFactor }),
    };
  }
}
