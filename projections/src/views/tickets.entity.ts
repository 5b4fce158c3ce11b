import type { TicketStatus } from '../../../contracts/http/support.js';
import { BigintColumn, ReadTable, TextColumn } from '../columns.js';

@ReadTable('tickets')
export class TicketRow {
  @TextColumn('id', { primary: true }) id!: string;
  @TextColumn('gamer_id') gamerId!: string;
  @TextColumn('subject') subject!: string;
  @TextColumn('message') message!: string;
  @TextColumn('status') status!: TicketStatus;
  @TextColumn('admin_notes', { nullable: true }) adminNotes!: string | null;
  @BigintColumn('created_at_ms') createdAtMs!: number;
  /** Time of the closing; null while the ticket is open. */
  @BigintColumn('resolved_at_ms', { nullable: true }) resolvedAtMs!: number | null;
}
