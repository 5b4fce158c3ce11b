import { Controller, Get, Module, Param, Query } from '@nestjs/common';
import type { RoundResponse } from '../../../../contracts/http/rounds.js';
import { Page } from '../../http/page.js';
import { ReadsViews } from '../../http/position.interceptors.js';
import { roundNumber } from '../../http/validation.js';
import { AuditModule } from '../audit/audit.controller.js';
import { RoundsQueries } from './rounds.queries.js';

@Controller('api')
export class RoundsController {
  constructor(private readonly queries: RoundsQueries) {}

  /** A round with its jackpot and its winner, and its purchases by pages. */
  @Get('rounds/:roundId')
  @ReadsViews('journal', 'ledger-index', 'deposits', 'gamers', 'late-purchases')
  round(@Param('roundId', roundNumber) roundId: number, @Query() page: Page): Promise<RoundResponse> {
    return this.queries.round(roundId, page);
  }
}

@Module({ imports: [AuditModule], controllers: [RoundsController], providers: [RoundsQueries] })
export class RoundsModule {}
