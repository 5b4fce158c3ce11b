import type { GamerId } from '../../../contracts/ids.js';
import { texts } from '../array-literals.js';
import type { Db } from '../database.js';
import { type Batch, type View } from './view.js';

/**
 * The addresses gamers saved for withdrawals, one a coin. A removed gamer's row stays, without addresses: an address
 * saved at the very moment of the removal, and so behind it in the log, is added to nothing.
 */
export const walletsView: View = {
  name: 'wallets',
  version: 1,
  tables: ['wallets'],
  ddl: 'CREATE TABLE wallets (gamer_id text PRIMARY KEY, addresses jsonb)',

  async apply(batch, db) {
    await save(batch, db);
    await forget(batch, db);
  },
};

async function save(batch: Batch, db: Db): Promise<void> {
  const addresses = new Map<GamerId, Record<string, string>>();
  for (const { event } of batch.ofType('WalletSaved')) {
    const { gamerId, cryptoType, walletAddress } = event.data;
    addresses.set(gamerId, { ...addresses.get(gamerId), [cryptoType]: walletAddress });
  }
  if (addresses.size === 0) return;
  await db.query(
    `INSERT INTO wallets (gamer_id, addresses) SELECT * FROM unnest($1::text[], $2::jsonb[])
     ON CONFLICT (gamer_id) DO UPDATE SET addresses = wallets.addresses || excluded.addresses`,
    [texts([...addresses.keys()]), texts([...addresses.values()].map((saved) => JSON.stringify(saved)))],
  );
}

async function forget(batch: Batch, db: Db): Promise<void> {
  const removed = batch.ofType('GamerRemoved').map(({ event }) => event.data.gamerId);
  if (removed.length === 0) return;
  await db.query(
    `INSERT INTO wallets (gamer_id, addresses) SELECT gamer_id, NULL FROM unnest($1::text[]) AS removed (gamer_id)
     ON CONFLICT (gamer_id) DO UPDATE SET addresses = NULL`,
    [texts(removed)],
  );
}
