import type { OurEvent } from '../../../contracts/events/recorded.js';
import type { TicketStatus } from '../../../contracts/http/support.js';
import type { WithdrawalStatus } from '../../../contracts/http/withdrawals.js';
import type { TimerSettings } from '../../../contracts/limits.js';
import {
  BigintColumn,
  BooleanColumn,
  JsonColumn,
  PositionColumn,
  ReadTable,
  TextColumn,
  UuidColumn,
} from '../columns.js';

/** The value before an event: the field that the event changes. */
export interface ActivityBefore {
  timers?: TimerSettings;
  /** Epoch milliseconds; null when never a depositor or switched off. */
  depositorUntilEpochMs?: number | null;
  deposit?: { gamerId: string | null; amountCents: number; cryptoType: string };
  withdrawal?: { amountCents: number; cryptoType: string; status: WithdrawalStatus };
  ticket?: { gamerId: string; subject: string; status: TicketStatus; adminNotes: string | null };
  post?: { gamerId: string };
}

/** An event of an admin's command. */
@ReadTable('activity')
export class ActivityRow {
  /** The event's id. */
  @UuidColumn('id', { primary: true }) id!: string;
  @PositionColumn('position') position!: string;
  @BigintColumn('at_ms') atMs!: number;
  @TextColumn('actor_id') actorId!: string;
  /** Type and data. */
  @JsonColumn('event') event!: OurEvent;
  @JsonColumn('before', { nullable: true }) before!: ActivityBefore | null;
  @TextColumn('subject_id', { nullable: true }) subjectId!: string | null;
  /** The subject, or the subject's gamer. */
  @TextColumn('gamer_id', { nullable: true }) gamerId!: string | null;
  @TextColumn('reason', { nullable: true }) reason!: string | null;
  /** True for an event in a stream that is deleted with the gamer: the row is deleted too. */
  @BooleanColumn('is_personal') isPersonal!: boolean;
}
