import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from '../columns.js';

@Entity({ schema: 'read', name: 'matrix_gamers', synchronize: false })
export class MatrixGamerRow {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'parent_id', type: 'text', nullable: true })
  parentId!: string | null;

  @Column({ type: 'smallint', nullable: true })
  slot!: number | null;

  @Column({ name: 'sponsor_id', type: 'text', nullable: true })
  sponsorId!: string | null;

  /** Nearest first, at most seven. */
  @Column({ type: 'text', array: true })
  uplines!: string[];

  /** Gamers placed below within seven levels. */
  @Column({ name: 'team_size', type: 'integer' })
  teamSize!: number;

  @Column({ name: 'direct_bonus_cents', type: 'bigint', transformer: safeInteger })
  directBonusCents!: number;

  @Column({ name: 'enrolled_revision', type: 'bigint', transformer: safeInteger })
  enrolledRevision!: number;
}

/** One of a gamer's seven levels. A level that is empty and paid nothing has no row. */
@Entity({ schema: 'read', name: 'matrix_levels', synchronize: false })
export class MatrixLevelRow {
  @PrimaryColumn({ name: 'gamer_id', type: 'text' })
  gamerId!: string;

  @PrimaryColumn({ type: 'smallint' })
  level!: number;

  @Column({ type: 'integer' })
  gamers!: number;

  @Column({ name: 'winnings_cents', type: 'bigint', transformer: safeInteger })
  winningsCents!: number;
}
