import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from '../columns.js';

@Entity({ schema: 'read', name: 'community_posts', synchronize: false })
export class CommunityPostRow {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'gamer_id', type: 'text' })
  gamerId!: string;

  /** Empty once its gamer was removed. */
  @Column({ type: 'text' })
  message!: string;

  @Column({ name: 'created_at_ms', type: 'bigint', transformer: safeInteger })
  createdAtMs!: number;

  @Column({ name: 'is_hidden', type: 'boolean' })
  isHidden!: boolean;

  /** Of its PostPublished. */
  @Column({ type: 'bigint', transformer: safeInteger })
  revision!: number;

  /** Of the last event about it. */
  @Column({ name: 'last_revision', type: 'bigint', transformer: safeInteger })
  lastRevision!: number;
}

@Entity({ schema: 'read', name: 'community_removed_gamers', synchronize: false })
export class CommunityRemovedGamerRow {
  @PrimaryColumn({ name: 'gamer_id', type: 'text' })
  gamerId!: string;
}
