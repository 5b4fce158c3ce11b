import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OurEvent } from '../../../contracts/events/recorded.js';
import type { TicketStatus } from '../../../contracts/http/support.js';
import type { WithdrawalStatus } from '../../../contracts/http/withdrawals.js';
import type { TimerSettings } from '../../../contracts/limits.js';
import { safeInteger } from '../columns.js';

/** How what an event changed was before it; of these the one that the event concerns. */
export interface ActivityBefore {
  timers?: TimerSettings;
  /** Epoch milliseconds; null when never a depositor or switched off. */
  depositorUntilEpochMs?: number | null;
  deposit?: { gamerId: string | null; amountCents: number; cryptoType: string };
  withdrawal?: { amountCents: number; cryptoType: string; status: WithdrawalStatus };
  ticket?: { gamerId: string; subject: string; status: TicketStatus; adminNotes: string | null };
  post?: { gamerId: string };
}

/** One event that an admin brought about. */
@Entity({ schema: 'read', name: 'activity', synchronize: false })
export class ActivityRow {
  /** The event's own. */
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'bigint' })
  position!: string;

  @Column({ name: 'at_ms', type: 'bigint', transformer: safeInteger })
  atMs!: number;

  @Column({ name: 'actor_id', type: 'text' })
  actorId!: string;

  /** Type and data. */
  @Column({ type: 'jsonb' })
  event!: OurEvent;

  @Column({ type: 'jsonb', nullable: true })
  before!: ActivityBefore | null;

  @Column({ name: 'subject_id', type: 'text', nullable: true })
  subjectId!: string | null;

  /** The gamer whom the subject is, or belongs to. */
  @Column({ name: 'gamer_id', type: 'text', nullable: true })
  gamerId!: string | null;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** The event stands in a stream that is deleted with its gamer, and so goes from here too. */
  @Column({ name: 'is_personal', type: 'boolean' })
  isPersonal!: boolean;
}

/** What later events will need to know as it was before them. */
@Entity({ schema: 'read', name: 'activity_memory', synchronize: false })
export class ActivityMemoryRow {
  @PrimaryColumn({ type: 'text' })
  key!: string;

  /** Set where it is to be forgotten with its gamer. */
  @Column({ name: 'gamer_id', type: 'text', nullable: true })
  gamerId!: string | null;

  @Column({ type: 'jsonb' })
  value!: ActivityBefore;
}
