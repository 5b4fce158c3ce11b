import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CryptoWallets } from '../../../contracts/http/withdrawals.js';

@Entity({ schema: 'read', name: 'wallets', synchronize: false })
export class WalletRow {
  @PrimaryColumn({ name: 'gamer_id', type: 'text' })
  gamerId!: string;

  /** By coin; null once the gamer was removed. */
  @Column({ type: 'jsonb', nullable: true })
  addresses!: CryptoWallets | null;
}
