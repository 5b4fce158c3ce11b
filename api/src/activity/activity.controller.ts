import { Controller, Get, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import type { ActivityResponse } from '../../../contracts/http/people.js';
import { LIST_PAGE_SIZE } from '../../../contracts/limits.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { PageQuery } from '../http/page.js';
import { AdminOnly } from '../http/session.js';
import { ActivityQueries } from './activity.queries.js';

@Controller('api/admin/activity')
@UseGuards(AdminOnly)
@UseInterceptors(AfterPositionInterceptor)
export class ActivityController {
  constructor(private readonly queries: ActivityQueries) {}

  /** What admins did, newest first, by pages. */
  @Get()
  list(@Query() { page, pageSize = LIST_PAGE_SIZE }: PageQuery): Promise<ActivityResponse> {
    return this.queries.page({ page, pageSize });
  }
}
