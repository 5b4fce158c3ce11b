import { Controller, Get, Module, Param, Query, UseInterceptors } from '@nestjs/common';
import type { RoundResponse } from '../../../../contracts/http/rounds.js';
import { Page } from '../../http/page.js';
import { AfterPositionInterceptor, ReadsViews } from '../../http/position.interceptors.js';
import { ROUND_ID } from '../../http/validation.js';
import { Refused } from '../../platform/failures.js';
import { AuditModule } from '../audit/audit.controller.js';
import { RoundsQueries } from './rounds.queries.js';

@Controller('api')
@UseInterceptors(AfterPositionInterceptor)
export class RoundsController {
  constructor(private readonly queries: RoundsQueries) {}

  /** A round with its jackpot and its winner, and its purchases by pages. */
  @Get('rounds/:roundId')
  @ReadsViews('journal', 'ledger-index', 'deposits', 'gamers', 'late-purchases')
  round(@Param('roundId') roundId: string, @Query() page: Page): Promise<RoundResponse> {
    if (!ROUND_ID.test(roundId)) throw new Refused('not-found');
    return this.queries.round(Number(roundId), page);
  }
}

@Module({ imports: [AuditModule], controllers: [RoundsController], providers: [RoundsQueries] })
export class RoundsModule {}
