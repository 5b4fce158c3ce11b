import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TicketStatus } from '../../../contracts/http/support.js';
import { safeInteger } from '../columns.js';

@Entity({ schema: 'read', name: 'tickets', synchronize: false })
export class TicketRow {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'gamer_id', type: 'text' })
  gamerId!: string;

  @Column({ type: 'text' })
  subject!: string;

  @Column({ type: 'text' })
  message!: string;

  @Column({ type: 'text' })
  status!: TicketStatus;

  @Column({ name: 'admin_notes', type: 'text', nullable: true })
  adminNotes!: string | null;

  @Column({ name: 'created_at_ms', type: 'bigint', transformer: safeInteger })
  createdAtMs!: number;

  /** When it was closed; null while it is open. */
  @Column({ name: 'resolved_at_ms', type: 'bigint', nullable: true, transformer: safeInteger })
  resolvedAtMs!: number | null;
}

@Entity({ schema: 'read', name: 'tickets_removed_gamers', synchronize: false })
export class TicketsRemovedGamerRow {
  @PrimaryColumn({ name: 'gamer_id', type: 'text' })
  gamerId!: string;
}
