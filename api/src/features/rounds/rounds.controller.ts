import { Controller, Get, Module, Param, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import type { GamerPurchasesResponse, RoundResponse } from '../../../../contracts/http/rounds.js';
import { adminOr } from '../../http/guards.js';
import { Page } from '../../http/page.js';
import { AfterPositionInterceptor, ReadsViews } from '../../http/position.interceptors.js';
import { ROUND_ID } from '../../http/validation.js';
import { Refused } from '../../platform/failures.js';
import { AuditModule } from '../audit/audit.module.js';
import { PurchasesModule } from '../purchases/purchases.controller.js';
import { GamerPurchasesQueries, RoundsQueries } from './rounds.queries.js';

@Controller('api')
@UseInterceptors(AfterPositionInterceptor)
export class RoundsController {
  constructor(
    private readonly queries: RoundsQueries,
    private readonly ofGamers: GamerPurchasesQueries,
  ) {}

  /** A round with its jackpot and its winner, and its purchases by pages. */
  @Get('rounds/:roundId')
  @ReadsViews('journal', 'ledger-index', 'deposits', 'gamers', 'late-purchases')
  round(@Param('roundId') roundId: string, @Query() page: Page): Promise<RoundResponse> {
    if (!ROUND_ID.test(roundId)) throw new Refused('not-found');
    return this.queries.round(Number(roundId), page);
  }

  /** A gamer’s newest purchases with what came of them, and those that came too late. */
  @Get('admin/gamers/:id/purchases')
  @UseGuards(adminOr('support'))
  @ReadsViews('journal', 'ledger-index', 'deposits', 'gamers', 'late-purchases')
  ofGamer(@Param('id') id: string): Promise<GamerPurchasesResponse> {
    return this.ofGamers.of(id);
  }
}

@Module({
  imports: [AuditModule, PurchasesModule],
  controllers: [RoundsController],
  providers: [GamerPurchasesQueries, RoundsQueries],
})
export class RoundsModule {}
