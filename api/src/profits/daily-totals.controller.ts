import { Controller, Get, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import type { DailyTotalsResponse } from '../../../contracts/http/admin.js';
import { DAILY_TOTALS_DAYS, MAX_DAILY_TOTALS_DAYS } from '../../../contracts/limits.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { Clock } from '../http/clock.js';
import { AdminOnly } from '../http/session.js';
import { DailyTotalsQueries } from './daily-totals.queries.js';

const daysMessage = `days must be a whole number from 1 to ${MAX_DAILY_TOTALS_DAYS}`;

export class DailyTotalsQuery {
  @IsOptional()
  @Type(() => Number)
  @IsInt({ message: daysMessage })
  @Min(1, { message: daysMessage })
  @Max(MAX_DAILY_TOTALS_DAYS, { message: daysMessage })
  days?: number;
}

@Controller('api/admin/daily-totals')
@UseGuards(AdminOnly)
@UseInterceptors(AfterPositionInterceptor)
export class DailyTotalsController {
  constructor(
    private readonly queries: DailyTotalsQueries,
    private readonly clock: Clock,
  ) {}

  /** Profit and deposits of the last days in New York, today last. */
  @Get()
  async list(@Query() { days = DAILY_TOTALS_DAYS }: DailyTotalsQuery): Promise<DailyTotalsResponse> {
    return { days: await this.queries.days(days, this.clock.now()) };
  }
}
