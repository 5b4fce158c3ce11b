import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { AdjustedDaysResponse, PublicRecordResponse } from '../../../../contracts/http/public-record.js';
import { DailyAdjustmentsRow, PublicRecordRow } from '../../../../projections/src/views/tables.entity.js';
import { type Page, skipTakeOf } from '../../http/page.js';
import { PublicQueryCache } from '../../http/read-checkpoint.queries.js';

@Injectable()
export class PublicRecordQueries {
  constructor(
    private readonly tables: EntityManager,
    private readonly cache: PublicQueryCache,
  ) {}

  entries(page: Page): Promise<PublicRecordResponse> {
    return this.cache.get(`public-record ${page.page} ${page.pageSize}`, async () => {
      const order = { revision: 'DESC' } as const;
      const [entries, total] = await this.tables.findAndCount(PublicRecordRow, { order, ...skipTakeOf(page) });
      return { entries, total };
    });
  }

  adjustedDays(page: Page): Promise<AdjustedDaysResponse> {
    return this.cache.get(`adjusted-days ${page.page} ${page.pageSize}`, async () => {
      const order = { day: 'DESC' } as const;
      const [days, total] = await this.tables.findAndCount(DailyAdjustmentsRow, { order, ...skipTakeOf(page) });
      return { days, total };
    });
  }
}
