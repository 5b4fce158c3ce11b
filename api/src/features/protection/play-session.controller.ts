import { Body, Controller, Get, HttpCode, Post, Put, Req, UseGuards, UseInterceptors } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { PlaySession, RealityCheckRequest } from '../../../../contracts/http/protection.js';
import { AfterPositionInterceptor, ReadsViews } from '../../http/position.interceptors.js';
import { LoggedIn, type Session } from '../../http/session.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { InvalidRequest, Refused } from '../../platform/failures.js';
import { Statements } from '../statements/statements.queries.js';
import { RealityChecksStore } from './reality-checks.store.js';

const MINUTE_MS = 60_000;
const wholeMinutes = { message: 'everyMinutes must be a whole number of minutes' };

export class RealityCheckDto implements RealityCheckRequest {
  @Max(Number.MAX_SAFE_INTEGER, wholeMinutes)
  @Min(1, wholeMinutes)
  @IsInt(wholeMinutes)
  everyMinutes!: number;
}

/** The play of the present login, and its reality checks (decision 57). A session begins with its login: a reload changes nothing. */
@Controller('api/play-session')
@UseGuards(LoggedIn)
@UseInterceptors(AfterPositionInterceptor)
export class PlaySessionController {
  constructor(
    private readonly checks: RealityChecksStore,
    private readonly statements: Statements,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** How long the present login lasts, what was spent and won since it began, and when its next reality check is due. */
  @Get()
  @ReadsViews('journal', 'ledger-index', 'deposits')
  async session(@Req() request: FastifyRequest): Promise<PlaySession> {
    const session = sessionOf(request);
    const kept = await this.checks.of(session);
    if (kept === null) throw new Refused('not-logged-in');
    const { begunAtMs, answeredAtMs, chosenMinutes } = kept;
    const { spentCents, wonCents, netCents } = await this.statements.totalsSince(session.gamerId, begunAtMs);
    const atMostMinutes = this.config.realityCheckMinutes;
    const everyMinutes = Math.min(chosenMinutes ?? atMostMinutes, atMostMinutes);
    const dueAtEpochMs = (answeredAtMs ?? begunAtMs) + everyMinutes * MINUTE_MS;
    const realityCheck = { everyMinutes, atMostMinutes, dueAtEpochMs };
    return { startedAtEpochMs: begunAtMs, spentCents, wonCents, netCents, realityCheck };
  }

  /** Answers the reality check; the next one is due after the chosen time. */
  @Post('answer')
  @HttpCode(200)
  async answer(@Req() request: FastifyRequest): Promise<MessageResponse> {
    await this.checks.answer(sessionOf(request), new Date(this.clock.now()));
    return { message: 'Answered' };
  }

  /** Chooses the time between reality checks, for all logins of the gamer: the operator's or a shorter one. */
  @Put('reality-check')
  async choose(@Req() request: FastifyRequest, @Body() { everyMinutes }: RealityCheckDto): Promise<MessageResponse> {
    const atMostMinutes = this.config.realityCheckMinutes;
    if (everyMinutes > atMostMinutes)
      throw new InvalidRequest('invalid-request', `everyMinutes must be a whole number from 1 to ${atMostMinutes}`);
    await this.checks.choose(sessionOf(request).gamerId, everyMinutes);
    return {
      message: `Your reality check now comes every ${everyMinutes === 1 ? 'minute' : `${everyMinutes} minutes`}`,
    };
  }
}

/** The guard has admitted the request, so it has a session. */
const sessionOf = ({ session }: FastifyRequest): Session => session as Session;
