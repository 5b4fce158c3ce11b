import { Injectable } from '@nestjs/common';
import { EntityManager, In } from 'typeorm';
import type { AdminProfits } from '../../../../contracts/http/profits.js';
import type { LedgerAccount } from '../../../../contracts/ledger-accounts.js';
import { BalanceRow, StatsRow } from '../../../../projections/src/views/tables.entity.js';

const ACCOUNTS: LedgerAccount[] = ['house:profit', 'house:unclaimed', 'house:deposit-fees', 'house:forfeited'];

@Injectable()
export class ProfitsQueries {
  constructor(private readonly tables: EntityManager) {}

  async profits(): Promise<AdminProfits> {
    const [rows, stats] = await Promise.all([
      this.tables.findBy(BalanceRow, { account: In(ACCOUNTS) }),
      this.tables.findOneByOrFail(StatsRow, { id: 1 }),
    ]);
    const centsOf = (account: LedgerAccount) => rows.find((row) => row.account === account)?.cents ?? 0;
    return {
      totalProfitCents: stats.totalProfitCents,
      currentProfitCents: centsOf('house:profit'),
      totalTokensPurchased: stats.totalTokens,
      unclaimedCents: centsOf('house:unclaimed'),
      depositFeesCents: centsOf('house:deposit-fees'),
      forfeitedCents: centsOf('house:forfeited'),
    };
  }
}
