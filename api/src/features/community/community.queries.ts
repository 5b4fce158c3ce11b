import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { CommunityPost } from '../../../../contracts/http/community.js';
import { CommunityPostRow } from '../../../../projections/src/views/tables.entity.js';
import { type Page, skipTakeOf } from '../../http/page.js';
import { PublicQueryCache } from '../../http/read-checkpoint.queries.js';
import { GamerTags } from '../gamers/gamers.queries.js';

@Injectable()
export class CommunityQueries {
  constructor(
    private readonly tables: EntityManager,
    private readonly tags: GamerTags,
    private readonly cache: PublicQueryCache,
  ) {}

  page(page: Page): Promise<CommunityPost[]> {
    return this.cache.get(`posts ${page.page} ${page.pageSize}`, async () => {
      const rows = await this.tables.find(CommunityPostRow, {
        where: { isHidden: false },
        order: { position: 'DESC' },
        ...skipTakeOf(page),
      });
      const tagOf = await this.tags.of(rows.map(({ gamerId }) => gamerId));
      return rows.map(({ id, gamerId, message, createdAtMs }) => ({
        id,
        gamerTag: tagOf(gamerId),
        message,
        createdAt: createdAtMs,
      }));
    });
  }
}
