import { Body, Controller, Get, Put, Req, UseGuards } from '@nestjs/common';
import { IsInt } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { MINUTE_MS } from '../../../../contracts/durations.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type * as http from '../../../../contracts/http/protection.js';
import { LoggedIn } from '../../http/guards.js';
import { ReadsViews } from '../../http/position.interceptors.js';
import { PostCommand, type Session } from '../../http/session.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { InvalidRequest, Refused } from '../../platform/failures.js';
import { Statements } from '../statements/statements.queries.js';
import { RealityChecksStore } from './reality-checks.store.js';

export class RealityCheckDto implements http.RealityCheckRequest {
  @IsInt({ message: 'everyMinutes must be a whole number of minutes' }) everyMinutes!: number;
}

/** The play of the current login, and its reality checks (decision 57). A session begins with its login: a reload changes nothing. */
@Controller('api/play-session')
@UseGuards(LoggedIn)
@ReadsViews('journal', 'ledger-index', 'deposits')
export class PlaySessionController {
  constructor(
    private readonly checks: RealityChecksStore,
    private readonly statements: Statements,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** How long the current login lasts, what was spent and won since it began, and when its next reality check is due. */
  @Get()
  async session(@Req() request: FastifyRequest): Promise<http.PlaySession> {
    const session = sessionOf(request);
    const checks = await this.checks.of(session);
    if (checks === null) throw new Refused('not-logged-in');
    const { begunAtMs, answeredAtMs, chosenMinutes } = checks;
    const { spentCents, wonCents, netCents } = await this.statements.totalsSince(session.gamerId, begunAtMs);
    const maxMinutes = this.config.realityCheckMinutes;
    const everyMinutes = Math.min(chosenMinutes ?? maxMinutes, maxMinutes);
    const dueAtMs = (answeredAtMs ?? begunAtMs) + everyMinutes * MINUTE_MS;
    const realityCheck = { everyMinutes, maxMinutes, dueAtMs };
    return { startedAtMs: begunAtMs, spentCents, wonCents, netCents, realityCheck };
  }

  /** Answers the reality check; the next one is due after the chosen time. */
  @PostCommand('answer')
  async answer(@Req() request: FastifyRequest): Promise<MessageResponse> {
    await this.checks.answer(sessionOf(request), new Date(this.clock.now()));
    return { message: 'Answered' };
  }

  /** Chooses the time between reality checks, for all logins of the gamer: the site's or a shorter one. */
  @Put('reality-check')
  async choose(@Req() request: FastifyRequest, @Body() { everyMinutes }: RealityCheckDto): Promise<MessageResponse> {
    const maxMinutes = this.config.realityCheckMinutes;
    if (everyMinutes < 1 || everyMinutes > maxMinutes)
      throw new InvalidRequest('invalid-request', `everyMinutes must be a whole number from 1 to ${maxMinutes}`);
    await this.checks.choose(sessionOf(request).gamerId, everyMinutes);
    return {
      message: `Your reality check now comes every ${everyMinutes === 1 ? 'minute' : `${everyMinutes} minutes`}`,
    };
  }
}

/** The guard has admitted the request, so it has a session. */
const sessionOf = ({ session }: FastifyRequest): Session => session as Session;
