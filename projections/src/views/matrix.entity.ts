import { BigintColumn, IntegerColumn, ReadTable, SmallintColumn, TextArrayColumn, TextColumn } from '../columns.js';

@ReadTable('matrix_gamers')
export class MatrixGamerRow {
  @TextColumn('id', { primary: true }) id!: string;
  @TextColumn('parent_id', { nullable: true }) parentId!: string | null;
  @SmallintColumn('slot', { nullable: true }) slot!: number | null;
  @TextColumn('sponsor_id', { nullable: true }) sponsorId!: string | null;
  /** Nearest upline first, at most seven. */
  @TextArrayColumn('uplines') uplines!: string[];
  /** Gamers placed below within seven levels. */
  @IntegerColumn('team_size') teamSize!: number;
  @BigintColumn('direct_bonus_cents') directBonusCents!: number;
  @BigintColumn('enrolled_revision') enrolledRevision!: number;
}

/** One of a gamer's seven levels. A level that is empty and was paid nothing has no row. */
@ReadTable('matrix_levels')
export class MatrixLevelRow {
  @TextColumn('gamer_id', { primary: true }) gamerId!: string;
  @SmallintColumn('level', { primary: true }) level!: number;
  @IntegerColumn('gamers') gamers!: number;
  @BigintColumn('winnings_cents') winningsCents!: number;
}
