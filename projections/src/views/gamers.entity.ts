import type { Role } from '../../../contracts/ids.js';
import { BigintColumn, ReadTable, TextColumn } from '../columns.js';

@ReadTable('gamers')
export class GamerRow {
  @TextColumn('id', { primary: true }) id!: string;
  /** Null, like the other personal columns, once the gamer was removed. */
  @TextColumn('gamer_tag', { nullable: true }) gamerTag!: string | null;
  @TextColumn('email', { nullable: true }) email!: string | null;
  @TextColumn('ref_code', { nullable: true }) refCode!: string | null;
  @TextColumn('role', { nullable: true }) role!: Role | null;
  /** Last millisecond as a depositor; null when never a depositor or switched off. */
  @BigintColumn('depositor_until_ms', { nullable: true }) depositorUntilMs!: number | null;
  @BigintColumn('registered_at_ms', { nullable: true }) registeredAtMs!: number | null;
}
