import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Books } from '../../../domain/books.js';
import { safeInteger } from '../columns.js';

const KEY_LENGTH = 24;

/** What of an id, an address or a hash is kept, and looked for. */
export const ledgerKeyOf = (text: string): string => text.toLowerCase().slice(0, KEY_LENGTH);

/** That an event of the ledger bears a key: an id, an address, a hash, or a gamer it is about. */
@Entity({ schema: 'read', name: 'ledger_keys', synchronize: false })
export class LedgerKeyRow {
  /** Its first 24 characters, in lower case. */
  @PrimaryColumn({ type: 'text' })
  key!: string;

  /** Of the event in the stream `ledger`. */
  @PrimaryColumn({ type: 'bigint', transformer: safeInteger })
  revision!: number;
}

/** An event that is neither TokenPurchased nor TimeExtended, which are all but a few. */
@Entity({ schema: 'read', name: 'ledger_rare', synchronize: false })
export class LedgerRareRow {
  @PrimaryColumn({ type: 'bigint', transformer: safeInteger })
  revision!: number;

  @Column({ type: 'text' })
  type!: string;
}

/** Which stretch of the ledger a round is. */
@Entity({ schema: 'read', name: 'ledger_rounds', synchronize: false })
export class LedgerRoundRow {
  @PrimaryColumn({ name: 'round_id', type: 'integer' })
  roundId!: number;

  /** Of its GameStarted. */
  @Column({ name: 'first_revision', type: 'bigint', transformer: safeInteger })
  firstRevision!: number;

  /** Of its RoundEnded or GameReset; null while it is open. */
  @Column({ name: 'last_revision', type: 'bigint', transformer: safeInteger, nullable: true })
  lastRevision!: number | null;

  @Column({ name: 'ended_at_ms', type: 'bigint', transformer: safeInteger, nullable: true })
  endedAtMs!: number | null;
}

/** The books after every thousandth event, after the first, and after the newest: the newest row is the last event's. */
@Entity({ schema: 'read', name: 'ledger_books', synchronize: false })
export class LedgerBooksRow {
  @PrimaryColumn({ type: 'bigint', transformer: safeInteger })
  revision!: number;

  @Column({ name: 'at_ms', type: 'bigint', transformer: safeInteger })
  atMs!: number;

  @Column({ type: 'jsonb' })
  books!: Books;
}
