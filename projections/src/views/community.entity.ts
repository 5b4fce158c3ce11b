import { BigintColumn, BooleanColumn, PositionColumn, ReadTable, TextColumn } from '../columns.js';

@ReadTable('community_posts')
export class CommunityPostRow {
  @TextColumn('id', { primary: true }) id!: string;
  @TextColumn('gamer_id') gamerId!: string;
  /** Empty in a removed gamer's post of an older log. */
  @TextColumn('message') message!: string;
  @BigintColumn('created_at_ms') createdAtMs!: number;
  @BooleanColumn('is_hidden') isHidden!: boolean;
  /** Log position of PostPublished. */
  @PositionColumn('position') position!: string;
  /** True for a post with its own stream, which is deleted with the gamer. */
  @BooleanColumn('is_erasable') isErasable!: boolean;
}
