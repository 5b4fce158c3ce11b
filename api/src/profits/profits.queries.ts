import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { AdminProfits } from '../../../contracts/http/withdrawals.js';
import type { LedgerAccount } from '../../../contracts/ledger-accounts.js';
import { HOUSE_SHARE_CENTS } from '../../../contracts/limits.js';
import { BalanceRow } from '../../../projections/src/views/balances.entity.js';
import { StatsRow } from '../../../projections/src/views/stats.entity.js';

const ACCOUNTS: LedgerAccount[] = ['house:profit', 'house:unclaimed', 'house:deposit-fees', 'house:forfeited'];

@Injectable()
export class ProfitsQueries {
  constructor(
    @InjectRepository(BalanceRow) private readonly balances: Repository<BalanceRow>,
    @InjectRepository(StatsRow) private readonly stats: Repository<StatsRow>,
  ) {}

  async profits(): Promise<AdminProfits> {
    const [rows, stats] = await Promise.all([
      this.balances.findBy({ account: In(ACCOUNTS) }),
      this.stats.findOneByOrFail({ id: 1 }),
    ]);
    const centsOf = (account: LedgerAccount) => rows.find((row) => row.account === account)?.cents ?? 0;
    return {
      totalProfitCents: stats.totalTokens * HOUSE_SHARE_CENTS,
      currentProfitCents: centsOf('house:profit'),
      totalTokensPurchased: stats.totalTokens,
      unclaimedCents: centsOf('house:unclaimed'),
      depositFeesCents: centsOf('house:deposit-fees'),
      forfeitedCents: centsOf('house:forfeited'),
    };
  }
}
