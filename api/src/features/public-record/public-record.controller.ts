import { Controller, Get, Module, Query } from '@nestjs/common';
import type { AdjustedDaysResponse, PublicRecordResponse } from '../../../../contracts/http/public-record.js';
import { Page } from '../../http/page.js';
import { ReadsViews } from '../../http/position.interceptors.js';
import { PublicRecordQueries } from './public-record.queries.js';

@Controller('api/public-record')
@ReadsViews('public-record')
export class PublicRecordController {
  constructor(private readonly queries: PublicRecordQueries) {}

  /** Resets, forced and planned starts, timer changes, outages and losses of history, newest first. */
  @Get()
  entries(@Query() page: Page): Promise<PublicRecordResponse> {
    return this.queries.entries(page);
  }

  /** The sums of each New York day's adjustments, newest first; days without one are left out. */
  @Get('adjustments')
  adjustedDays(@Query() page: Page): Promise<AdjustedDaysResponse> {
    return this.queries.adjustedDays(page);
  }
}

@Module({ controllers: [PublicRecordController], providers: [PublicRecordQueries] })
export class PublicRecordModule {}
