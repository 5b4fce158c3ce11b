import type { CryptoWallets } from '../../../contracts/http/withdrawals.js';
import { JsonColumn, ReadTable, TextColumn } from '../columns.js';

@ReadTable('wallets')
export class WalletRow {
  @TextColumn('gamer_id', { primary: true }) gamerId!: string;
  /** Addresses by coin; null once the gamer was removed. */
  @JsonColumn('addresses', { nullable: true }) addresses!: CryptoWallets | null;
}
