import { Controller, Get, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import type { AdminGamersResponse } from '../../../contracts/http/admin.js';
import { EMAIL_MAX_LENGTH, GAMER_LIST_PAGE_SIZE } from '../../../contracts/limits.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { Clock } from '../http/clock.js';
import { PageQuery } from '../http/page.js';
import { AdminOnly } from '../http/session.js';
import { AdminGamersQueries } from './admin-gamers.queries.js';

export class GamerSearch extends PageQuery {
  @IsOptional()
  @IsString({ message: 'q must be text' })
  @MaxLength(EMAIL_MAX_LENGTH, { message: 'q is too long' })
  q?: string;
}

@Controller('api/admin/mini/gamers')
@UseGuards(AdminOnly)
@UseInterceptors(AfterPositionInterceptor)
export class AdminGamersController {
  constructor(
    private readonly queries: AdminGamersQueries,
    private readonly clock: Clock,
  ) {}

  /** Gamers by name, by pages; `q` finds part of a GamerTag or email. */
  @Get()
  list(@Query() { q, page, pageSize = GAMER_LIST_PAGE_SIZE }: GamerSearch): Promise<AdminGamersResponse> {
    return this.queries.page(q?.trim() ?? '', { page, pageSize }, this.clock.now());
  }
}
