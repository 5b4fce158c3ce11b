import { Body, Controller, Get, Query, Req, Res, UseGuards } from '@nestjs/common';
import { IsOptional, IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type * as http from '../../../../contracts/http/staff.js';
import { QUERY_MAX_LENGTH } from '../../../../contracts/limits.js';
import { setSessionCookie } from '../../http/cookies.js';
import { AdminOnly, mustBeSteppedUp, StaffEnrolling } from '../../http/guards.js';
import { Page } from '../../http/page.js';
import { CurrentGamer, PostCommand, type SessionGamer } from '../../http/session.js';
import { SessionStore } from '../../http/sessions.store.js';
import { optionalQuery, refuseAs, requiredText } from '../../http/validation.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { newPasswordRefusal } from '../gamers/account.rules.js';
import { CODE_MAX_LENGTH, optionalCode } from '../gamers/accounts.controller.js';
import { AccountPasswords } from '../gamers/passwords.js';
import { SecondFactors } from './second-factors.store.js';
import { SecurityTrail } from './security-trail.store.js';
import { secretText, totpUri } from './totp.js';

export class StepUpDto implements http.StepUpRequest {
  @optionalCode code?: string;

  @IsString(refuseAs('wrong-password'))
  @IsOptional()
  password?: string;
}

export class BeginEnrolmentDto implements http.BeginEnrolmentRequest {
  @requiredText('wrong-password') password!: string;
}

export class ConfirmEnrolmentDto implements http.ConfirmEnrolmentRequest {
  @requiredText('wrong-code', CODE_MAX_LENGTH) code!: string;
}

@Controller('api/staff')
@UseGuards(StaffEnrolling)
export class StaffController {
  constructor(
    private readonly factors: SecondFactors,
    private readonly passwords: AccountPasswords,
    private readonly trail: SecurityTrail,
    private readonly sessions: SessionStore,
    private readonly config: Config,
  ) {}

  /** Whether the staff member has a second factor. */
  @Get('second-factor')
  async status(@CurrentGamer() { gamerId }: SessionGamer): Promise<http.SecondFactorStatus> {
    return { isEnrolled: await this.factors.isEnrolled(gamerId), isRequired: this.config.isHttpsOnly };
  }

  /** Begins the enrolment of an authenticator app; it counts once its first code is confirmed. */
  @PostCommand('second-factor/begin')
  async begin(
    @CurrentGamer() gamer: SessionGamer,
    @Body() { password }: BeginEnrolmentDto,
    @Req() { session, ip: address }: FastifyRequest,
  ): Promise<http.EnrolmentResponse> {
    const { gamerId, gamerTag, role } = gamer;
    if (await this.factors.isEnrolled(gamerId)) {
      if (!session?.hasSecondFactor) throw new Refused('second-factor-required');
      mustBeSteppedUp(session);
    }
    // A stolen session must not enrol its thief.
    await this.passwords.check(gamerId, password, address);
    // A gamer who became staff may have a password that was long enough for a gamer.
    const code = newPasswordRefusal(password, role);
    if (code) throw new Refused(code);
    const secret = await this.factors.begin(gamerId);
    return { secret: secretText(secret), uri: totpUri(secret, gamerTag) };
  }

  /** Confirms the enrolment by a code, and returns recovery codes; all other sessions of the staff member end. */
  @PostCommand('second-factor/confirm')
  async confirm(
    @CurrentGamer() { gamerId }: SessionGamer,
    @Body() { code }: ConfirmEnrolmentDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<http.RecoveryCodesResponse> {
    const recoveryCodes = await this.factors.confirm(gamerId, code);
    await this.trail.record({ type: 'second-factor-enrolled', gamerId, address: reply.request.ip });
    const sid = await this.renewSession(reply, true);
    await this.sessions.endOthersOf(gamerId, sid);
    return { recoveryCodes };
  }

  /** Proves again who the session’s staff member is, which allows acts with money, roles and deletions for ten minutes. */
  @PostCommand('step-up')
  async stepUp(
    @CurrentGamer() gamer: SessionGamer,
    @Body() { code, password }: StepUpDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MessageResponse> {
    const { gamerId } = gamer;
    const address = reply.request.ip;
    const withSecondFactor = await this.factors.isEnrolled(gamerId);
    let detail = 'password';
    if (withSecondFactor) {
      detail = await this.factors.use(gamerId, code ?? '', 'step-up').catch(async (error: Error) => {
        await this.trail.record({ type: 'step-up-failed', gamerId, address });
        throw error;
      });
    } else {
      await this.passwords.check(gamerId, password ?? '', address);
    }
    await this.trail.record({ type: 'stepped-up', gamerId, address, detail });
    await this.renewSession(reply, withSecondFactor);
    return { message: 'Confirmed' };
  }

  /** Says that somebody uses the page: like every command, it prolongs the session. */
  @PostCommand('activity')
  activity(): MessageResponse {
    return { message: 'Seen' };
  }

  /** A proof gives the session another id, against a session id that was stolen before. */
  private async renewSession(reply: FastifyReply, withSecondFactor: boolean): Promise<string> {
    const { session } = reply.request;
    const renewed = session && (await this.sessions.renew(session.sid, { isProof: true, withSecondFactor }));
    if (renewed === null) throw new Refused('not-logged-in');
    setSessionCookie(reply, renewed, this.config);
    return renewed;
  }
}

export class SecurityEventSearch extends Page {
  @optionalQuery(QUERY_MAX_LENGTH, `q must be a text of at most ${QUERY_MAX_LENGTH} characters`) q = '';
}

@Controller('api/admin/security-events')
@UseGuards(AdminOnly)
export class SecurityTrailController {
  constructor(private readonly trail: SecurityTrail) {}

  /** Logins, step-ups and account changes of the last 90 days, newest first; `q` is part of a GamerTag or an address. */
  @Get()
  list(@Query() query: SecurityEventSearch): Promise<http.SecurityEventsResponse> {
    return this.trail.search(query.q, query);
  }
}
