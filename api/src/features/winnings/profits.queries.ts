import { Injectable } from '@nestjs/common';
import { EntityManager, In, MoreThanOrEqual } from 'typeorm';
import type { AdminProfits, DayTotals } from '../../../../contracts/http/profits.js';
import type { LedgerAccount } from '../../../../contracts/ledger-accounts.js';
import { dayInNewYork, daysUntil } from '../../../../contracts/new-york.js';
import { BalanceRow, DailyTotalsRow, StatsRow } from '../../../../projections/src/views/tables.entity.js';

const ACCOUNTS: LedgerAccount[] = ['house:profit', 'house:unclaimed', 'house:deposit-fees', 'house:forfeited'];
const EMPTY_DAY = { profitCents: 0, purchases: 0, depositsCents: 0, deposits: 0 };

@Injectable()
export class ProfitsQueries {
  constructor(private readonly tables: EntityManager) {}

  async profits(): Promise<AdminProfits> {
    const [rows, stats] = await Promise.all([
      this.tables.findBy(BalanceRow, { account: In(ACCOUNTS) }),
      this.tables.findOneByOrFail(StatsRow, { id: 1 }),
    ]);
    const centsOf = (account: LedgerAccount) => rows.find((row) => row.account === account)?.cents ?? 0;
    return {
      totalProfitCents: stats.totalProfitCents,
      currentProfitCents: centsOf('house:profit'),
      totalTokensPurchased: stats.totalTokens,
      unclaimedCents: centsOf('house:unclaimed'),
      depositFeesCents: centsOf('house:deposit-fees'),
      forfeitedCents: centsOf('house:forfeited'),
    };
  }

  /** The last `count` days in New York; the day of `nowMs` comes last. */
  async days(count: number, nowMs: number): Promise<DayTotals[]> {
    const days = daysUntil(dayInNewYork(nowMs), count);
    const rows = await this.tables.findBy(DailyTotalsRow, { day: MoreThanOrEqual(days[0] as string) });
    const byDay = new Map(rows.map((row) => [row.day, row]));
    return days.map((day) => ({ ...EMPTY_DAY, ...byDay.get(day), day }));
  }
}
