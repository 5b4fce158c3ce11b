import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { secondPersonLimitsOf } from '../../../contracts/events/upcast.js';
import type {
  AdjustedDaysResponse,
  PublicRecordEntry,
  PublicRecordResponse,
} from '../../../contracts/http/public-record.js';
import { DEFAULT_SECOND_PERSON_LIMITS, type SecondPersonLimits } from '../../../contracts/limits.js';
import { DailyAdjustmentsRow, PublicRecordRow } from '../../../projections/src/views/tables.entity.js';
import { type Page, rowsOf } from '../http/page.js';
import { PublicReads } from '../http/public-reads.js';

/** Resets, timer changes, outages and adjustments for everyone to read, newest first. */
@Injectable()
export class PublicRecordQueries {
  constructor(
    private readonly tables: EntityManager,
    private readonly kept: PublicReads,
  ) {}

  entries(page: Page): Promise<PublicRecordResponse> {
    return this.kept.get(`public-record ${page.page} ${page.pageSize}`, async () => {
      const [rows, total] = await this.tables.findAndCount(PublicRecordRow, {
        order: { revision: 'DESC' },
        ...rowsOf(page),
      });
      const limitsBefore = await this.limitsBefore(rows);
      return { entries: rows.map((row) => entryOf(row, limitsBefore)), total };
    });
  }

  adjustedDays(page: Page): Promise<AdjustedDaysResponse> {
    return this.kept.get(`adjusted-days ${page.page} ${page.pageSize}`, async () => {
      const [rows, total] = await this.tables.findAndCount(DailyAdjustmentsRow, {
        order: { day: 'DESC' },
        ...rowsOf(page),
      });
      const days = rows.map(({ day, adjustments, addedCents, takenCents }) => ({
        day,
        adjustments,
        addedCents,
        takenCents,
      }));
      return { days, total };
    });
  }

  /** The second person's limits before each change of them, by the change's revision; empty for rows without one. */
  private async limitsBefore(rows: readonly PublicRecordRow[]): Promise<ReadonlyMap<number, SecondPersonLimits>> {
    const before = new Map<number, SecondPersonLimits>();
    if (!rows.some(({ event }) => event.type === 'SecondPersonLimitSet')) return before;
    const changes = await this.tables
      .createQueryBuilder(PublicRecordRow, 'entry')
      .where(`entry.event ->> 'type' = 'SecondPersonLimitSet'`)
      .orderBy('entry.revision')
      .getMany();
    let limits = DEFAULT_SECOND_PERSON_LIMITS;
    for (const { revision, event } of changes) {
      if (event.type !== 'SecondPersonLimitSet') continue;
      before.set(revision, limits);
      limits = secondPersonLimitsOf(event.data, limits);
    }
    return before;
  }
}

function entryOf(
  { revision, eventId, atMs, event, timersBefore }: PublicRecordRow,
  limitsBefore: ReadonlyMap<number, SecondPersonLimits>,
): PublicRecordEntry {
  const place = { revision, eventId, at: atMs };
  switch (event.type) {
    case 'GameReset': {
      const { roundId, carriedCents, reason, purchaseCount } = event.data;
      return { ...place, kind: 'reset', roundId, carriedCents, reason, purchaseCount };
    }
    case 'TimersChanged':
      return { ...place, kind: 'timers', timers: event.data, timersBefore };
    case 'SecondPersonLimitSet': {
      const { aboveCents, aboveCentsPerDay } = event.data;
      const before = limitsBefore.get(revision) ?? DEFAULT_SECOND_PERSON_LIMITS;
      return {
        ...place,
        kind: 'limit',
        aboveCents,
        ...(aboveCentsPerDay !== undefined && { aboveCentsPerDay }),
        before,
      };
    }
    case 'LiveResumed': {
      const { roundId, outageSeconds, endsAtEpochMs } = event.data;
      return {
        ...place,
        kind: 'outage',
        roundId,
        outageSeconds,
        secondsLeft: Math.ceil((endsAtEpochMs - atMs) / 1000),
      };
    }
  }
}
