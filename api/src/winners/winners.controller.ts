import { Controller, Get, Query, UseInterceptors } from '@nestjs/common';
import type { WinnersResponse } from '../../../contracts/http/game.js';
import { WINNERS_LISTED } from '../../../contracts/limits.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { PageQuery } from '../http/page.js';
import { WinnersQueries } from './winners.queries.js';

@Controller('api/winners')
@UseInterceptors(AfterPositionInterceptor)
export class WinnersController {
  constructor(private readonly queries: WinnersQueries) {}

  /** Won rounds, newest first. */
  @Get()
  async list(@Query() { page, pageSize }: PageQuery): Promise<WinnersResponse> {
    return { winners: await this.queries.page(page, Math.min(pageSize ?? WINNERS_LISTED, WINNERS_LISTED)) };
  }
}
