import type { GamerId } from '../../../contracts/ids.js';
import { createTable } from '../columns.js';
import { insertEntities } from '../sql-rows.js';
import { WalletRow } from './tables.entity.js';
import type { View } from './view.js';

/** One address per coin. A removed gamer's row stays null: an address from during the removal leaves it null. */
export const walletsView: View = {
  name: 'wallets',
  version: 1,
  tables: ['wallets'],
  ddl: createTable(WalletRow),

  async apply(batch, db) {
    const saved = new Map<GamerId, Record<string, string>>();
    for (const { event } of batch.ofType('WalletSaved')) {
      const { gamerId, cryptoType, walletAddress } = event.data;
      saved.set(gamerId, { ...saved.get(gamerId), [cryptoType]: walletAddress });
    }
    const rows = [...saved].map(([gamerId, addresses]) => ({ gamerId, addresses }));
    const added = 'ON CONFLICT (gamer_id) DO UPDATE SET addresses = wallets.addresses || excluded.addresses';
    await insertEntities(db, WalletRow, rows, added);
    const removed = batch.removedGamers.map((gamerId) => ({ gamerId, addresses: null }));
    await insertEntities(db, WalletRow, removed, 'ON CONFLICT (gamer_id) DO UPDATE SET addresses = NULL');
  },
};
