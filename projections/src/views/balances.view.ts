import { integers, texts } from '../array-literals.js';
import type { Db } from '../database.js';
import { add, type Batch, type View } from './view.js';
import { winningsCredits } from './winnings.js';

/** What every ledger account holds, and what each gamer ever won and was paid out (decisions 10, 13). */
export const balancesView: View = {
  name: 'balances',
  version: 2,
  tables: ['balances', 'gamer_totals'],
  ddl: `
    CREATE TABLE balances (account text PRIMARY KEY, cents bigint NOT NULL) WITH (fillfactor = 70);
    CREATE TABLE gamer_totals (
      gamer_id text PRIMARY KEY,
      total_winnings_cents bigint NOT NULL,
      withdrawals_paid_cents bigint NOT NULL
    ) WITH (fillfactor = 70)`,

  async apply(batch, db) {
    await post(batch, db);
    await credit(batch, db);
    await payOut(batch, db);
  },
};

async function post(batch: Batch, db: Db): Promise<void> {
  const changes = new Map<string, number>();
  for (const { postings } of batch) for (const { account, cents } of postings) add(changes, account, cents);
  if (changes.size === 0) return;
  await db.query(
    `INSERT INTO balances (account, cents) SELECT * FROM unnest($1::text[], $2::bigint[])
     ON CONFLICT (account) DO UPDATE SET cents = balances.cents + excluded.cents`,
    [texts([...changes.keys()]), integers([...changes.values()])],
  );
}

async function credit(batch: Batch, db: Db): Promise<void> {
  const won = new Map<string, number>();
  for (const projected of batch) for (const { gamerId, cents } of winningsCredits(projected)) add(won, gamerId, cents);
  if (won.size === 0) return;
  await db.query(
    `INSERT INTO gamer_totals (gamer_id, total_winnings_cents, withdrawals_paid_cents)
     SELECT gamer_id, cents, 0 FROM unnest($1::text[], $2::bigint[]) AS won (gamer_id, cents)
     ON CONFLICT (gamer_id) DO UPDATE
       SET total_winnings_cents = gamer_totals.total_winnings_cents + excluded.total_winnings_cents`,
    [texts([...won.keys()]), integers([...won.values()])],
  );
}

/** Only what was really paid counts, not what was asked for (decision 10). */
async function payOut(batch: Batch, db: Db): Promise<void> {
  const paid = new Map<string, number>();
  for (const { event } of batch.ofType('WithdrawalCompleted')) add(paid, event.data.gamerId, event.data.amountCents);
  if (paid.size === 0) return;
  await db.query(
    `INSERT INTO gamer_totals (gamer_id, total_winnings_cents, withdrawals_paid_cents)
     SELECT gamer_id, 0, cents FROM unnest($1::text[], $2::bigint[]) AS paid (gamer_id, cents)
     ON CONFLICT (gamer_id) DO UPDATE
       SET withdrawals_paid_cents = gamer_totals.withdrawals_paid_cents + excluded.withdrawals_paid_cents`,
    [texts([...paid.keys()]), integers([...paid.values()])],
  );
}
