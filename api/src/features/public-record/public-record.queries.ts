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
      const [rows, total] = await this.tables.findAndCount(PublicRecordRow, {
        order: { revision: 'DESC' },
        ...skipTakeOf(page),
      });
      return { entries: rows, total };
    });
  }

  adjustedDays(page: Page): Promise<AdjustedDaysResponse> {
    return this.cache.get(`adjusted-days ${page.page} ${page.pageSize}`, async () => {
      const [days, total] = await this.tables.findAndCount(DailyAdjustmentsRow, {
        order: { day: 'DESC' },
        ...skipTakeOf(page),
      });
      return { days, total };
    });
  }
}
