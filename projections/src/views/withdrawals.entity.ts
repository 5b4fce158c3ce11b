import type { CryptoType } from '../../../contracts/crypto.js';
import type { WithdrawalStatus } from '../../../contracts/http/withdrawals.js';
import { BigintColumn, ReadTable, TextColumn } from '../columns.js';

@ReadTable('withdrawals')
export class WithdrawalRow {
  @TextColumn('id', { primary: true }) id!: string;
  /** Null for the admin's own profit. */
  @TextColumn('gamer_id', { nullable: true }) gamerId!: string | null;
  @BigintColumn('amount_cents') amountCents!: number;
  @TextColumn('crypto_type') cryptoType!: CryptoType;
  @TextColumn('wallet_address') walletAddress!: string;
  @TextColumn('status') status!: WithdrawalStatus;
  @TextColumn('admin_notes', { nullable: true }) adminNotes!: string | null;
  @TextColumn('txid', { nullable: true }) txid!: string | null;
  @BigintColumn('created_at_ms') createdAtMs!: number;
  @BigintColumn('processed_at_ms', { nullable: true }) processedAtMs!: number | null;
}
