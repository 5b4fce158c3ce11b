import { Injectable } from '@nestjs/common';
import { EntityManager, IsNull, Not } from 'typeorm';
import type { RecentPurchase } from '../../../../contracts/http/purchases.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { LIST_PAGE_SIZE, MAX_FEED_PURCHASES } from '../../../../contracts/limits.js';
import { LatePurchaseRow, RecentPurchaseRow } from '../../../../projections/src/views/tables.entity.js';
import { PublicQueryCache } from '../../http/read-checkpoint.queries.js';
import { secondsLeft } from '../game/game-state.js';
import { GamerTags } from '../gamers/gamers.queries.js';
import { LedgerSigners } from '../receipts/ledger-signers.js';

@Injectable()
export class PurchasesQueries {
  constructor(
    private readonly tables: EntityManager,
    private readonly tags: GamerTags,
    private readonly cache: PublicQueryCache,
    private readonly signers: LedgerSigners,
  ) {}

  /** The refusals of a gamer's purchases that came too late, as the ledger's key signs them now: newest first, at most a page. */
  async refusalsOf(gamerId: GamerId): Promise<string[]> {
    const order = { receivedAtEpochMs: 'DESC' } as const;
    const rows = await this.tables.find(LatePurchaseRow, { where: { gamerId }, order, take: LIST_PAGE_SIZE });
    return Promise.all(rows.map((late) => this.signers.signRefusal(late)));
  }

  /** Newest first, at most 10. */
  recent(): Promise<RecentPurchase[]> {
    return this.cache.get('recent purchases', async () => {
      const rows = await this.tables.find(RecentPurchaseRow, {
        where: { endsAtMs: Not(IsNull()) },
        order: { revision: 'DESC' },
        take: MAX_FEED_PURCHASES,
      });
      const tagOf = await this.tags.of(rows.map(({ buyerId }) => buyerId));
      return rows.map(({ revision: _, atMs, endsAtMs, addedSeconds, jackpotCents, ...purchase }) => ({
        ...purchase,
        buyerGamerTag: tagOf(purchase.buyerId),
        timestamp: atMs,
        addedSeconds: addedSeconds ?? 0,
        newJackpot: jackpotCents,
        newCountdown: secondsLeft(endsAtMs, atMs),
      }));
    });
  }
}
