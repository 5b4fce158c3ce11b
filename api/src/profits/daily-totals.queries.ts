import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThanOrEqual, Repository } from 'typeorm';
import type { DayTotals } from '../../../contracts/http/admin.js';
import { dayInNewYork, daysUntil } from '../../../contracts/new-york.js';
import { DailyTotalsRow } from '../../../projections/src/views/daily-totals.entity.js';

@Injectable()
export class DailyTotalsQueries {
  constructor(@InjectRepository(DailyTotalsRow) private readonly totals: Repository<DailyTotalsRow>) {}

  /** The last `count` days in New York, the one of `nowMs` last. */
  async days(count: number, nowMs: number): Promise<DayTotals[]> {
    const days = daysUntil(dayInNewYork(nowMs), count);
    const rows = await this.totals.findBy({ day: MoreThanOrEqual(days[0] as string) });
    const byDay = new Map(rows.map((row) => [row.day, row]));
    return days.map((day) => ({ ...NOTHING, ...byDay.get(day), day }));
  }
}

const NOTHING = { profitCents: 0, purchases: 0, depositsCents: 0, deposits: 0 };
