import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { GamerId, Role } from '../../../../contracts/ids.js';

/** A gamer's account, for login and sessions. The password hash is stored only here, because secrets are not history. */
@Entity({ schema: 'auth', name: 'accounts' })
export class Account {
  @PrimaryColumn({ type: 'text', name: 'gamer_id' })
  gamerId!: GamerId;

  /** Unique, case-insensitively. */
  @Column({ type: 'text', name: 'gamer_tag' })
  gamerTag!: string;

  /** Unique, case-insensitively. */
  @Column({ type: 'text' })
  email!: string;

  /** argon2id; null for an account restored from the event log, until its password is reset. */
  @Column({ type: 'text', name: 'password_hash', nullable: true })
  passwordHash!: string | null;

  @Column({ type: 'text' })
  role!: Role;

  @Column({ type: 'text', name: 'ref_code' })
  refCode!: string;

  @Column({ type: 'text', name: 'sponsor_id', nullable: true })
  sponsorId!: GamerId | null;

  /** False from the reservation of the row until the ledger has enrolled the gamer. */
  @Column({ type: 'boolean' })
  enrolled!: boolean;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
