import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../../../contracts/ids.js';
import { safeInteger } from '../columns.js';

@Entity({ schema: 'read', name: 'gamers', synchronize: false })
export class GamerRow {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** Null, like the other personal columns, once the gamer's stream was deleted. */
  @Column({ name: 'gamer_tag', type: 'text', nullable: true })
  gamerTag!: string | null;

  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ name: 'ref_code', type: 'text', nullable: true })
  refCode!: string | null;

  @Column({ type: 'text', nullable: true })
  role!: Role | null;

  /** Inclusive; null when never a depositor or switched off. */
  @Column({ name: 'depositor_until_ms', type: 'bigint', nullable: true, transformer: safeInteger })
  depositorUntilMs!: number | null;

  @Column({ name: 'registered_at_ms', type: 'bigint', nullable: true, transformer: safeInteger })
  registeredAtMs!: number | null;
}
