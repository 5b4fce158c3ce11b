import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, IsNull, Not, Repository } from 'typeorm';
import {
  type ProfitWithdrawal,
  WITHDRAWALS_LISTED,
  type Withdrawal,
  type WithdrawalList,
} from '../../../contracts/http/withdrawals.js';
import type { GamerId } from '../../../contracts/ids.js';
import { WithdrawalRow } from '../../../projections/src/views/withdrawals.entity.js';
import { GamerNames } from '../gamers/gamer-names.queries.js';
import type { Page } from '../http/page.js';

/** Requests for payouts, newest first. */
@Injectable()
export class WithdrawalsQueries {
  constructor(
    @InjectRepository(WithdrawalRow) private readonly withdrawals: Repository<WithdrawalRow>,
    private readonly names: GamerNames,
  ) {}

  /** Every gamer's, or one's; all of them, or one of the two lists. */
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

  private page(where: FindOptionsWhere<WithdrawalRow>, { page, pageSize }: Page): Promise<WithdrawalRow[]> {
    return this.withdrawals.find({
      where,
      order: { createdAtMs: 'DESC', id: 'ASC' },
      skip: (page - 1) * pageSize,
      take: pageSize,
    });
  }
}

function withdrawalOf({ gamerId: _, createdAtMs, processedAtMs, ...row }: WithdrawalRow): ProfitWithdrawal {
  return { ...row, createdAt: createdAtMs, processedAt: processedAtMs };
}
