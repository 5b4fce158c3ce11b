import { dayInNewYork, type NewYorkDay } from '../../../contracts/new-york.js';
import { createTable } from '../columns.js';
import { insertEntities } from '../sql-rows.js';
import { DailyTotalsRow } from './tables.entity.js';
import type { Batch, View } from './view.js';

/**
 * Profit, purchases and deposits of each day, by ledger time. Profit is the profit share of the day's tokens, without
 * unclaimed cents and fees (decisions 1, 3, 11). Deposits are the credited amounts, without the fee.
 */
export const dailyTotalsView: View = {
  name: 'daily-totals',
  version: 1,
  tables: ['daily_totals'],
  ddl: createTable(DailyTotalsRow),

  async apply(batch, db) {
    await insertEntities(
      db,
      DailyTotalsRow,
      totalsOf(batch),
      `ON CONFLICT (day) DO UPDATE SET
         profit_cents = daily_totals.profit_cents + excluded.profit_cents,
         purchases = daily_totals.purchases + excluded.purchases,
         deposits_cents = daily_totals.deposits_cents + excluded.deposits_cents,
         deposits = daily_totals.deposits + excluded.deposits`,
    );
  },
};

function totalsOf(batch: Batch): DailyTotalsRow[] {
  const byDay = new Map<NewYorkDay, DailyTotalsRow>();
  const dayOf = daysByHour();
  const of = (at: number): DailyTotalsRow => {
    const day = dayOf(at);
    const totals = byDay.get(day) ?? { day, profitCents: 0, purchases: 0, depositsCents: 0, deposits: 0 };
    byDay.set(day, totals);
    return totals;
  };
  for (const { event, metadata } of batch.ofType('TokenPurchased')) {
    const totals = of(metadata.at);
    totals.profitCents += event.data.houseShareCents;
    totals.purchases += 1;
  }
  for (const { event, metadata } of batch.ofType('DepositApproved')) {
    const totals = of(metadata.at);
    totals.depositsCents += event.data.amountCents;
    totals.deposits += 1;
  }
  return [...byDay.values()];
}

/** Computes the New York day once per hour of the log: days start on whole hours, and the conversion is slow. */
function daysByHour(): (at: number) => NewYorkDay {
  const days = new Map<number, NewYorkDay>();
  return (at) => {
    const hour = Math.floor(at / 3_600_000);
    const day = days.get(hour) ?? dayInNewYork(hour * 3_600_000);
    days.set(hour, day);
    return day;
  };
}
