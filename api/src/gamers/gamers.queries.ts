import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { GamerProfile } from '../../../contracts/http/gamers.js';
import type { GamerId } from '../../../contracts/ids.js';
import { purchaseAccount, winningsAccount } from '../../../contracts/ledger-accounts.js';
import { BalanceRow, GamerTotalsRow } from '../../../projections/src/views/balances.entity.js';
import { GamerRow } from '../../../projections/src/views/gamers.entity.js';
import { Refused } from '../http/refused.js';
import { isActiveDepositor } from './depositor.js';

@Injectable()
export class GamersQueries {
  constructor(
    @InjectRepository(GamerRow) private readonly gamers: Repository<GamerRow>,
    @InjectRepository(BalanceRow) private readonly balances: Repository<BalanceRow>,
    @InjectRepository(GamerTotalsRow) private readonly totals: Repository<GamerTotalsRow>,
  ) {}

  async profile(gamerId: GamerId, nowMs: number): Promise<GamerProfile> {
    const accounts = [purchaseAccount(gamerId), winningsAccount(gamerId)];
    const [gamer, balances, totals] = await Promise.all([
      this.gamers.findOneBy({ id: gamerId }),
      this.balances.findBy({ account: In(accounts) }),
      this.totals.findOneBy({ gamerId }),
    ]);
    if (!gamer || gamer.gamerTag === null) throw new Refused('gamer-not-found');
    const centsOf = (account: string) => balances.find((balance) => balance.account === account)?.cents ?? 0;
    return {
      id: gamer.id,
      gamerTag: gamer.gamerTag,
      email: gamer.email ?? '',
      refCode: gamer.refCode ?? '',
      isDepositor: isActiveDepositor(gamer, nowMs),
      depositorExpiresAt: gamer.depositorUntilMs,
      wallet: { purchaseBalanceCents: centsOf(purchaseAccount(gamerId)) },
      balances: {
        personalWithdrawalsPaidCents: totals?.withdrawalsPaidCents ?? 0,
        currentWinningsCents: centsOf(winningsAccount(gamerId)),
        totalWinningsCents: totals?.totalWinningsCents ?? 0,
      },
    };
  }
}
