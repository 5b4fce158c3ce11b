import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { AdminGamersResponse } from '../../../contracts/http/admin.js';
import { purchaseAccount, winningsAccount } from '../../../contracts/ledger-accounts.js';
import { BalanceRow } from '../../../projections/src/views/balances.entity.js';
import { GamerRow } from '../../../projections/src/views/gamers.entity.js';
import { isActiveDepositor } from '../gamers/depositor.js';
import type { Page } from '../http/page.js';

@Injectable()
export class AdminGamersQueries {
  constructor(
    @InjectRepository(GamerRow) private readonly gamers: Repository<GamerRow>,
    @InjectRepository(BalanceRow) private readonly balances: Repository<BalanceRow>,
  ) {}

  /** Gamers, without the house, whose tag or email holds `search`, by tag. */
  async page(search: string, { page, pageSize }: Page, nowMs: number): Promise<AdminGamersResponse> {
    const [rows, total] = await this.gamers
      .createQueryBuilder('gamer')
      .where("gamer.gamerTag IS NOT NULL AND gamer.role IS DISTINCT FROM 'admin'")
      .andWhere('(gamer.gamerTag ILIKE :pattern OR gamer.email ILIKE :pattern)', { pattern: containing(search) })
      .orderBy('lower(gamer.gamerTag)')
      .addOrderBy('gamer.id')
      .offset((page - 1) * pageSize)
      .limit(pageSize)
      .getManyAndCount();
    const centsOf = await this.centsOf(rows.flatMap(({ id }) => [purchaseAccount(id), winningsAccount(id)]));
    const gamers = rows.map((row) => ({
      id: row.id,
      gamerTag: row.gamerTag ?? '',
      email: row.email ?? '',
      isDepositor: isActiveDepositor(row, nowMs),
      depositorExpiresAt: row.depositorUntilMs,
      purchaseBalance: centsOf(purchaseAccount(row.id)),
      currentWinnings: centsOf(winningsAccount(row.id)),
      role: row.role === 'auditor' ? ('auditor' as const) : ('gamer' as const),
    }));
    return { gamers, total };
  }

  private async centsOf(accounts: string[]): Promise<(account: string) => number> {
    const rows = accounts.length === 0 ? [] : await this.balances.findBy({ account: In(accounts) });
    const cents = new Map(rows.map((row) => [row.account, row.cents]));
    return (account) => cents.get(account) ?? 0;
  }
}

/** A pattern for ILIKE in which the searched text stands for itself. */
const containing = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`;
