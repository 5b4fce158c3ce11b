import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import type { ProfitWithdrawal, Withdrawal } from '../../../contracts/http/withdrawals.js';
import type { GamerId } from '../../../contracts/ids.js';
import { WithdrawalRow } from '../../../projections/src/views/withdrawals.entity.js';
import { GamerNames } from '../gamers/gamer-names.queries.js';

export interface Page {
  page: number;
  pageSize: number;
}

/** Requests for payouts, newest first. */
@Injectable()
export class WithdrawalsQueries {
  constructor(
    @InjectRepository(WithdrawalRow) private readonly withdrawals: Repository<WithdrawalRow>,
    private readonly names: GamerNames,
  ) {}

  /** Every gamer's, or one's. */
  async ofGamers(page: Page, gamerId?: GamerId): Promise<Withdrawal[]> {
    const rows = await this.page({ gamerId: gamerId ?? Not(IsNull()) }, page);
    const nameOf = await this.names.of(rows.map((row) => row.gamerId ?? ''));
    return rows.map((row) => ({ ...withdrawalOf(row), gamerTag: nameOf(row.gamerId ?? '') }));
  }

  async ofProfit(page: Page): Promise<ProfitWithdrawal[]> {
    return (await this.page({ gamerId: IsNull() }, page)).map(withdrawalOf);
  }

  private page(where: object, { page, pageSize }: Page): Promise<WithdrawalRow[]> {
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
