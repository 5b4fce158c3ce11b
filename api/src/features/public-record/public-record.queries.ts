import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type {
  AdjustedDaysResponse,
  PublicRecordEntry,
  PublicRecordResponse,
} from '../../../../contracts/http/public-record.js';
import { DailyAdjustmentsRow, PublicRecordRow } from '../../../../projections/src/views/tables.entity.js';
import { type Page, rowsOf } from '../../http/page.js';
import { PublicQueryCache } from '../../http/read-checkpoint.queries.js';

/** Resets, timer changes, planned starts, outages, losses of history and adjustments for everyone to read, newest first. */
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
        ...rowsOf(page),
      });
      return { entries: rows.map(entryOf), total };
    });
  }

  adjustedDays(page: Page): Promise<AdjustedDaysResponse> {
    return this.cache.get(`adjusted-days ${page.page} ${page.pageSize}`, async () => {
      const [days, total] = await this.tables.findAndCount(DailyAdjustmentsRow, {
        order: { day: 'DESC' },
        ...rowsOf(page),
      });
      return { days, total };
    });
  }
}

function entryOf({ revision, eventId, atMs, event, timersBefore }: PublicRecordRow): PublicRecordEntry {
  const place = { revision, eventId, at: atMs };
  switch (event.type) {
    case 'GameReset':
      return { ...place, kind: 'reset', ...event.data };
    case 'TimersChanged':
      return { ...place, kind: 'timers', timers: event.data, timersBefore };
    case 'GameScheduled':
      return { ...place, kind: 'schedule', startsAt: event.data.startsAtEpochMs, plan: event.data };
    case 'ScheduleCancelled':
      return { ...place, kind: 'schedule', startsAt: event.data.startsAtEpochMs, plan: null };
    case 'HistoryLost': {
      const { lastKeptAtEpochMs, signedSize, acceptedBy, reason } = event.data;
      return { ...place, kind: 'loss', lastKeptAt: lastKeptAtEpochMs, signedSize, acceptedBy, reason };
    }
    case 'LiveResumed': {
      const { roundId, outageSeconds, endsAtEpochMs } = event.data;
      const secondsLeft = Math.ceil((endsAtEpochMs - atMs) / 1000);
      return { ...place, kind: 'outage', roundId, outageSeconds, secondsLeft };
    }
  }
}
