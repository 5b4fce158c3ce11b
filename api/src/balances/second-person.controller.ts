import { Body, Controller, Get, Put, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsOptional } from 'class-validator';
import type { SecondPersonLimitRequest, SecondPersonResponse } from '../../../contracts/http/admin.js';
import { MAX_ADJUSTMENT_CENTS } from '../../../contracts/limits.js';
import type { CommandMetadata } from '../../../domain/ledger-commands.js';
import { AfterPositionInterceptor } from '../http/position.interceptors.js';
import { AdminOnly, adminOr, CurrentSession, Metadata, type SessionGamer, SteppedUp } from '../http/session.js';
import { wholeNumber } from '../http/validation.js';
import { Refused } from '../platform/failures.js';
import { SetSecondPersonLimit } from './balances.commands.js';
import { SecondPersonQueries } from './second-person.queries.js';

export class SecondPersonLimitDto implements SecondPersonLimitRequest {
  /** The limit of one act; null for none. */
  @IsOptional()
  @wholeNumber(0, MAX_ADJUSTMENT_CENTS, 'invalid-second-person-limit')
  aboveCents!: number | null;

  /** The limit of what one person moves alone in a day; null for none. */
  @IsOptional()
  @wholeNumber(0, MAX_ADJUSTMENT_CENTS, 'invalid-second-person-limit')
  aboveCentsPerDay!: number | null;
}

/** Money above a limit takes two persons (decision 50). */
@Controller('api/admin/second-person')
@UseInterceptors(AfterPositionInterceptor)
export class SecondPersonController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: SecondPersonQueries,
  ) {}

  /** The limits, what the session’s gamer moved alone today, and the requests that wait for a second person. */
  @Get()
  @UseGuards(adminOr('money'))
  waiting(@CurrentSession() session: SessionGamer): Promise<SecondPersonResponse> {
    return this.queries.waiting(session.gamerId);
  }

  /** Sets both limits. */
  @Put()
  @UseGuards(AdminOnly, SteppedUp)
  setLimit(@Metadata() metadata: CommandMetadata, @Body() { aboveCents, aboveCentsPerDay }: SecondPersonLimitDto) {
    if (aboveCents === undefined || aboveCentsPerDay === undefined) throw new Refused('invalid-second-person-limit');
    return this.commands.execute(new SetSecondPersonLimit({ aboveCents, aboveCentsPerDay }, metadata));
  }
}
