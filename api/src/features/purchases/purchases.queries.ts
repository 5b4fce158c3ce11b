import { Injectable } from '@nestjs/common';
import { EntityManager, IsNull, Not } from 'typeorm';
import type { RecentPurchase } from '../../../../contracts/http/purchases.js';
import { FEED_PURCHASES } from '../../../../contracts/limits.js';
import { RecentPurchaseRow } from '../../../../projections/src/views/tables.entity.js';
import { PublicReads } from '../../http/public-reads.js';
import { secondsLeft } from '../game/game-state.js';
import { GamerNames } from '../gamers/gamers.queries.js';

@Injectable()
export class PurchasesQueries {
  constructor(
    private readonly tables: EntityManager,
    private readonly names: GamerNames,
    private readonly kept: PublicReads,
  ) {}

  /** Newest first, at most 10. */
  recent(): Promise<RecentPurchase[]> {
    return this.kept.get('recent purchases', () => this.readRecent());
  }

  private async readRecent(): Promise<RecentPurchase[]> {
    const rows = await this.tables.find(RecentPurchaseRow, {
      where: { endsAtMs: Not(IsNull()) },
      order: { revision: 'DESC' },
      take: FEED_PURCHASES,
    });
    const nameOf = await this.names.of(rows.map(({ buyerId }) => buyerId));
    return rows.map((row) => ({
      purchaseId: row.purchaseId,
      roundId: row.roundId,
      buyerId: row.buyerId,
      buyerGamerTag: nameOf(row.buyerId),
      timestamp: row.atMs,
      quantity: row.quantity,
      addedSeconds: row.addedSeconds ?? 0,
      newJackpot: row.jackpotCents,
      newCountdown: secondsLeft(row.endsAtMs, row.atMs),
    }));
  }
}
