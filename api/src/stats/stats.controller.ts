import { Controller, Get, UseInterceptors } from '@nestjs/common';
import type { StatsResponse } from '../../../contracts/http/game.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { StatsQueries } from './stats.queries.js';

@Controller('api/stats')
@UseInterceptors(AfterPositionInterceptor)
export class StatsController {
  constructor(private readonly queries: StatsQueries) {}

  /** The public counters. */
  @Get()
  current(): Promise<StatsResponse> {
    return this.queries.current();
  }
}
