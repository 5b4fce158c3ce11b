import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from '../columns.js';

@Entity({ schema: 'read', name: 'journal', synchronize: false })
export class JournalRow {
  /** Of the event in the stream `ledger`. */
  @PrimaryColumn({ type: 'bigint', transformer: safeInteger })
  revision!: number;

  /** 0, 1, 2 … within the event. */
  @PrimaryColumn({ type: 'smallint' })
  line!: number;

  @PrimaryColumn({ type: 'text' })
  account!: string;

  @Column({ type: 'bigint', transformer: safeInteger })
  cents!: number;

  @Column({ type: 'bigint' })
  position!: string;

  @Column({ name: 'at_ms', type: 'bigint', transformer: safeInteger })
  atMs!: number;

  @Column({ name: 'event_id', type: 'uuid' })
  eventId!: string;
}
