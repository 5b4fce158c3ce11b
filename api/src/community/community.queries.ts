import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { CommunityPost } from '../../../contracts/http/community.js';
import type { PostId } from '../../../contracts/ids.js';
import { CommunityPostRow } from '../../../projections/src/views/community.entity.js';
import { GamerNames } from '../gamers/gamer-names.queries.js';
import type { Page } from '../http/page.js';

@Injectable()
export class CommunityQueries {
  constructor(
    @InjectRepository(CommunityPostRow) private readonly posts: Repository<CommunityPostRow>,
    private readonly names: GamerNames,
  ) {}

  /** Newest first; hidden posts are left out. */
  async page({ page, pageSize }: Page): Promise<CommunityPost[]> {
    const rows = await this.posts.find({
      where: { isHidden: false },
      order: { revision: 'DESC' },
      skip: (page - 1) * pageSize,
      take: pageSize,
    });
    const nameOf = await this.names.of(rows.map(({ gamerId }) => gamerId));
    return rows.map(({ id, gamerId, message, createdAtMs }) => ({
      id,
      gamerTag: nameOf(gamerId),
      message,
      createdAt: createdAtMs,
    }));
  }

  /** What the table knows of a post, and up to which revision of the stream (-1: none) it knows all posts. */
  async known(postId: PostId): Promise<{ post: CommunityPostRow | null; upToRevision: number }> {
    // One after the other: what the table learns in between is then known twice, not missed.
    const upToRevision = (await this.posts.maximum('lastRevision')) ?? -1;
    const post = await this.posts.findOneBy({ id: postId });
    return { post, upToRevision: Number(upToRevision) };
  }
}
