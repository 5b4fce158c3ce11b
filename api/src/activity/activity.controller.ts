import { Controller, Get, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';
import { ACTIVITY_TOPICS, type ActivityResponse, type ActivityTopic } from '../../../contracts/http/people.js';
import { LIST_PAGE_SIZE } from '../../../contracts/limits.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { PageQuery } from '../http/page.js';
import { AdminOnly } from '../http/session.js';
import { ActivityQueries } from './activity.queries.js';

/** `?about=&page=&pageSize=` */
export class ActivityQuery extends PageQuery {
  @IsOptional()
  @IsIn(ACTIVITY_TOPICS, { message: `about must be one of ${ACTIVITY_TOPICS.join(', ')}` })
  about?: ActivityTopic;
}

@Controller('api/admin/activity')
@UseGuards(AdminOnly)
@UseInterceptors(AfterPositionInterceptor)
export class ActivityController {
  constructor(private readonly queries: ActivityQueries) {}

  /** What admins did, newest first, by pages; `about` tells what of it. */
  @Get()
  list(@Query() { about, page, pageSize = LIST_PAGE_SIZE }: ActivityQuery): Promise<ActivityResponse> {
    return this.queries.page({ page, pageSize }, about);
  }
}
