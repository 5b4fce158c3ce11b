import { Controller, Get, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';
import { ACTIVITY_TOPICS, type ActivityTopic } from '../../../contracts/http/admin.js';
import { Page } from '../http/page.js';
import { AfterPositionInterceptor } from '../http/position.interceptors.js';
import { AdminOnly } from '../http/session.js';
import { ActivityQueries } from './activity.queries.js';

/** `?about=&page=&pageSize=` */
export class ActivityQuery extends Page {
  @IsOptional()
  @IsIn(ACTIVITY_TOPICS, { message: `about must be one of ${ACTIVITY_TOPICS.join(', ')}` })
  about?: ActivityTopic;
}

@Controller('api/admin/activity')
@UseGuards(AdminOnly)
@UseInterceptors(AfterPositionInterceptor)
export class ActivityController {
  constructor(private readonly queries: ActivityQueries) {}

  /** The admins' activity log by pages, newest first; `about` selects a topic. */
  @Get()
  list(@Query() query: ActivityQuery) {
    return this.queries.page(query, query.about);
  }
}
