import { applyDecorators, Body, Controller, Get, Injectable, Param, Post, Req, Res } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { canonicalEmail } from '../../../../contracts/email.js';
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
import { type Proof, SecondFactors } from '../staff/second-factors.store.js';
import { SecurityTrail } from '../staff/security-trail.store.js';
import { registrationRefusal } from './account.rules.js';
import { AccountMails } from './account-mails.js';
import { type Account, AccountsStore, isConfirmed, newAccount } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { Enrolment } from './enrolment.store.js';
import { ExcludedMailboxes } from './excluded-mailboxes.store.js';
import { GamerLog } from './gamer-log.js';
import { MailedLinks } from './mailed-links.store.js';
import { Passwords } from './passwords.js';

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

@Injectable()
export class Registrations {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly passwords: Passwords,
    private readonly attemptLimits: AttemptLimits,
    private readonly enrolment: Enrolment,
    private readonly mailboxes: ExcludedMailboxes,
    private readonly links: MailedLinks,
    private readonly trail: SecurityTrail,
  ) {}

  /**
   * Registers a gamer; a repeated request or a login continues an interrupted registration. Throws Refused; or Unavailable: then send it
   * again. `position`: of the enrolment in the log; null when an interrupted registration had enrolled the gamer already.
   */
  async register(request: http.RegisterRequest, address: string) {
    const code = registrationRefusal(request);
    if (code) throw new Refused(code);
    await this.attemptLimits.countRegistration(address);
    const account = (await this.findInterrupted(request, address)) ?? (await this.reserve(request, address));
    await this.trail.record({ type: 'registered', gamerId: account.gamerId, address });
    const position = await this.enrolment.complete(account);
    this.links.sendForOwn(account.gamerId, 'registered at Omni Jackpot with this email.');
    return { account, position };
  }

  /** The same person's interrupted registration; refuses a tag that another gamer has. */
  private async findInterrupted({ username, email, password }: http.RegisterRequest, address: string) {
    const account = await this.accounts.findByTag(username);
    if (!account) return null;
    const isSamePerson =
      !account.enrolled &&
      canonicalEmail(account.email) === canonicalEmail(email) &&
      (await this.passwords.matches(password, account.passwordHash, address));
    if (!isSamePerson) throw new Refused('gamer-tag-taken');
    return account;
  }

  private async reserve({ username, email, password, referralCode }: http.RegisterRequest, address: string) {
    const sponsor = referralCode ? await this.accounts.findByRefCode(referralCode) : null;
    if (referralCode && !sponsor) throw new Refused('referral-code-not-found');
    await this.mailboxes.mustNotBeBarred(email, null);
    const passwordHash = await this.passwords.hash(password, address);
    const sponsorId = sponsor?.gamerId ?? null;
    const account = newAccount({ gamerTag: username, email, passwordHash, role: 'gamer', sponsorId });
    await this.accounts.reserve(account);
    return account;
  }
}

/** `device`: the device cookie, which names the gamers who logged in on this device. */
type Login = http.LoginRequest & { device: string };

@Injectable()
export class Logins {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly passwords: Passwords,
    private readonly attemptLimits: AttemptLimits,
    private readonly enrolment: Enrolment,
    private readonly gamerLog: GamerLog,
    private readonly factors: SecondFactors,
    private readonly trail: SecurityTrail,
  ) {}

  /**
   * Throws Refused, with the same code for an unknown tag or email as for a wrong password. The second factor comes after the right
   * password, so that nobody learns which accounts have one.
   */
  async logIn({ username, password, code, device }: Login, address: string) {
    const account = await this.accounts.findByTagOrEmail(username);
    const attempt = { username, gamerId: account?.gamerId ?? null, address, device };
    await this.attemptLimits.countLogin(attempt);
    const isRight = await this.passwords.matches(password, account?.passwordHash ?? null, address);
    if (!account || !isRight) {
      await this.trail.record({ type: 'login-failed', gamerId: account?.gamerId ?? null, address });
      throw new Refused('invalid-credentials');
    }
    const proof = await this.secondFactor(account, code ?? '', address);
    await this.attemptLimits.forgiveLogin(attempt);
    await this.attemptLimits.countSuccess(account.gamerId, address);
    await this.enrolment.complete(account);
    if (account.role === 'admin') await this.gamerLog.recordAdminLogin(account.gamerId);
    await this.trail.record({ type: 'logged-in', gamerId: account.gamerId, address, ...(proof && { detail: proof }) });
    return { account, hasSecondFactor: proof !== null };
  }

  private async secondFactor({ gamerId, role }: Account, code: string, address: string): Promise<Proof | null> {
    if (!isStaff(role) || !(await this.factors.isEnrolled(gamerId))) return null;
    if (code === '') {
      await this.trail.record({ type: 'code-required', gamerId, address });
      throw new Refused('second-factor-code-required');
    }
    return this.factors.use(gamerId, code, 'login').catch(async (error: Error) => {
      await this.trail.record({ type: 'code-failed', gamerId, address });
      throw error;
    });
  }
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
