import { Controller, Get, UseInterceptors } from '@nestjs/common';
import type { RecentPurchasesResponse } from '../../../contracts/http/game.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { RecentPurchasesQueries } from './recent-purchases.queries.js';

@Controller('api/purchases')
@UseInterceptors(AfterPositionInterceptor)
export class RecentPurchasesController {
  constructor(private readonly queries: RecentPurchasesQueries) {}

  /** The latest purchases, newest first, whichever round they were in. */
  @Get('recent')
  async recent(): Promise<RecentPurchasesResponse> {
    return { purchases: await this.queries.recent() };
  }
}
