import { Injectable } from '@nestjs/common';
import { EntityManager, type FindOptionsWhere, In, IsNull, Not } from 'typeorm';
import {
  type CryptoWallets,
  type ProfitWithdrawal,
  WITHDRAWALS_LISTED,
  type Withdrawal,
  type WithdrawalList,
} from '../../../contracts/http/withdrawals.js';
import type { GamerId } from '../../../contracts/ids.js';
import { WalletRow, WithdrawalRow } from '../../../projections/src/views/tables.entity.js';
import { GamerNames } from '../accounts/gamer-names.queries.js';
import { type Page, rowsOf } from '../http/page.js';
import { PersonalTexts } from '../personal-texts/personal-texts.js';

/** Withdrawals, newest first, and saved wallet addresses. */
@Injectable()
export class WithdrawalsQueries {
  constructor(
    private readonly tables: EntityManager,
    private readonly names: GamerNames,
    private readonly texts: PersonalTexts,
  ) {}

  /** The withdrawals of all gamers or of one; all of them or one of the two lists. */
  async ofGamers(
    page: Page,
    of: { gamerId?: GamerId; listed?: WithdrawalList | undefined } = {},
  ): Promise<Withdrawal[]> {
    const where: FindOptionsWhere<WithdrawalRow> = { gamerId: of.gamerId ?? Not(IsNull()) };
    if (of.listed) where.status = In(WITHDRAWALS_LISTED[of.listed]);
    const rows = await this.page(where, page);
    const nameOf = await this.names.of(rows.map((row) => row.gamerId ?? ''));
    return rows.map((row) => ({ ...withdrawalOf(row), gamerTag: nameOf(row.gamerId ?? '') }));
  }

  async ofProfit(page: Page): Promise<ProfitWithdrawal[]> {
    return (await this.page({ gamerId: IsNull() }, page)).map(withdrawalOf);
  }

  async walletsOf(gamerId: GamerId): Promise<CryptoWallets> {
    return (await this.tables.findOneBy(WalletRow, { gamerId }))?.addresses ?? {};
  }

  private async page(where: FindOptionsWhere<WithdrawalRow>, page: Page): Promise<WithdrawalRow[]> {
    const order = { createdAtMs: 'DESC', id: 'ASC' } as const;
    return this.texts.decrypt(await this.tables.find(WithdrawalRow, { where, order, ...rowsOf(page) }));
  }
}

function withdrawalOf({ gamerId: _, createdAtMs, processedAtMs, heldUntilMs, ...row }: WithdrawalRow) {
  return { ...row, createdAt: createdAtMs, processedAt: processedAtMs, heldUntil: heldUntilMs };
}
