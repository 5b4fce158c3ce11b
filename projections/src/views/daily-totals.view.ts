import { dayInNewYork, type NewYorkDay } from '../../../contracts/new-york.js';
import { integers, texts } from '../array-literals.js';
import type { Batch, View } from './view.js';

interface Totals {
  profitCents: number;
  purchases: number;
  depositsCents: number;
  deposits: number;
}

/**
 * What each day brought the house and the gamers, by ledger time: profit is the house's two cents of every token
 * (decisions 1, 3, 11: neither unclaimed cents nor fees), deposits are what was credited, without the fee.
 */
export const dailyTotalsView: View = {
  name: 'daily-totals',
  version: 1,
  tables: ['daily_totals'],
  ddl: `
    CREATE TABLE daily_totals (
      day date PRIMARY KEY,
      profit_cents bigint NOT NULL,
      purchases bigint NOT NULL,
      deposits_cents bigint NOT NULL,
      deposits bigint NOT NULL
    )`,

  async apply(batch, db) {
    const byDay = [...totalsOf(batch)];
    if (byDay.length === 0) return;
    const column = (of: keyof Totals) => integers(byDay.map(([, totals]) => totals[of]));
    await db.query(
      `INSERT INTO daily_totals AS kept (day, profit_cents, purchases, deposits_cents, deposits)
       SELECT * FROM unnest($1::date[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
       ON CONFLICT (day) DO UPDATE SET
         profit_cents = kept.profit_cents + excluded.profit_cents,
         purchases = kept.purchases + excluded.purchases,
         deposits_cents = kept.deposits_cents + excluded.deposits_cents,
         deposits = kept.deposits + excluded.deposits`,
      [
        texts(byDay.map(([day]) => day)),
        column('profitCents'),
        column('purchases'),
        column('depositsCents'),
        column('deposits'),
      ],
    );
  },
};

function totalsOf(batch: Batch): Map<NewYorkDay, Totals> {
  const byDay = new Map<NewYorkDay, Totals>();
  const dayOf = daysByHour();
  const of = (at: number): Totals => {
    const day = dayOf(at);
    const totals = byDay.get(day) ?? { profitCents: 0, purchases: 0, depositsCents: 0, deposits: 0 };
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
  return byDay;
}

/** The calendar is asked once an hour of the log: New York's days begin on whole hours, and asking is slow. */
function daysByHour(): (at: number) => NewYorkDay {
  const days = new Map<number, NewYorkDay>();
  return (at) => {
    const hour = Math.floor(at / 3_600_000);
    const day = days.get(hour) ?? dayInNewYork(hour * 3_600_000);
    days.set(hour, day);
    return day;
  };
}
