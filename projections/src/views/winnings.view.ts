import type { GamerId } from '../../../contracts/ids.js';
import { createTable } from '../columns.js';
import type { Db } from '../database.js';
import { addEntities } from '../sql-rows.js';
import { BalanceRow, GamerTotalsRow } from './tables.entity.js';
import { add, type Batch, type ProjectedEvent, type View } from './view.js';

const PREFIX = 'gamer:';
const SUFFIX = ':winnings';

/** The credits to gamers' winnings by a purchase or a won jackpot, and signed changes by an admin's adjustment. */
export function winningsCredits({ event, postings }: ProjectedEvent): readonly { gamerId: GamerId; cents: number }[] {
  if (event.type === 'TokenPurchased') return event.data.allocations;
  if (event.type !== 'RoundEnded' && event.type !== 'BalanceAdjusted') return [];
  const credits: { gamerId: GamerId; cents: number }[] = [];
  for (const { account, cents } of postings) {
    if (account.endsWith(SUFFIX)) credits.push({ gamerId: account.slice(PREFIX.length, -SUFFIX.length), cents });
  }
  return credits;
}

/** The balance of every ledger account, and each gamer's total winnings and payouts (decisions 10, 13). */
export const balancesView: View = {
  name: 'balances',
  version: 2,
  tables: ['balances', 'gamer_totals'],
  ddl: createTable(BalanceRow, { fillfactor: 70 }) + createTable(GamerTotalsRow, { fillfactor: 70 }),

  async apply(batch, db) {
    await post(batch, db);
    await total(batch, db);
  },
};

async function post(batch: Batch, db: Db): Promise<void> {
  const changes = new Map<string, number>();
  for (const { postings } of batch.events) for (const { account, cents } of postings) add(changes, account, cents);
  const rows = [...changes].map(([account, cents]) => ({ account, cents }));
  await addEntities(db, BalanceRow, rows);
}

/** Winnings from all sources; only completed withdrawals count as paid (decision 10). */
async function total(batch: Batch, db: Db): Promise<void> {
  const totals = new Map<GamerId, GamerTotalsRow>();
  const totalsOf = (gamerId: GamerId): GamerTotalsRow => {
    const row = totals.get(gamerId) ?? { gamerId, totalWinningsCents: 0, withdrawalsPaidCents: 0, releasedCents: 0 };
    totals.set(gamerId, row);
    return row;
  };
  for (const projected of batch.events)
    for (const { gamerId, cents } of winningsCredits(projected)) totalsOf(gamerId).totalWinningsCents += cents;
  for (const { event } of batch.ofType('WithdrawalCompleted'))
    totalsOf(event.data.gamerId).withdrawalsPaidCents += event.data.amountCents;
  for (const { event } of batch.ofType('BalanceReleased'))
    totalsOf(event.data.gamerId).releasedCents += event.data.amountCents;
  await addEntities(db, GamerTotalsRow, [...totals.values()]);
}
