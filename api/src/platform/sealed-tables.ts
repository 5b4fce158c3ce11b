import { canonicalJson } from '../../../domain/canonical-json.js';
import { SealKeys } from './seal-keys.js';

const micros = (column: string): string => `(extract(epoch FROM ${column}) * 1000000)::bigint`;

/**
 * The tables whose rows let somebody act as somebody: for each, the SQL of the key and of the content that the seal covers.
 * Every use of a row takes its fields from the content, so what was verified is what is used.
 */
export const SEALED_TABLES = {
  accounts: {
    key: 'gamer_id',
    content: `jsonb_build_object('gamerId', gamer_id, 'gamerTag', gamer_tag, 'email', email, 'passwordHash', password_hash,
      'role', role, 'refCode', ref_code, 'sponsorId', sponsor_id, 'secondFactor', second_factor,
      'createdAt', ${micros('created_at')})`,
  },
  sessions: {
    key: 'sid',
    content: `jsonb_build_object('sid', sid, 'gamerId', sess->>'gamerId', 'password', sess->>'password',
      'expire', ${micros('expire')}, 'endsAt', ${micros('ends_at')}, 'provedAt', ${micros('proved_at')},
      'hasSecondFactor', has_second_factor)`,
  },
  recovery_codes: {
    key: `gamer_id || ' ' || encode(code_hash, 'hex')`,
    content: `jsonb_build_object('gamerId', gamer_id, 'codeHash', encode(code_hash, 'hex'))`,
  },
  removals: {
    key: 'gamer_id',
    content: `jsonb_build_object('gamerId', gamer_id, 'actorId', actor_id, 'commandId', command_id,
      'begunAt', ${micros('begun_at')})`,
  },
} as const;

/** The short-lived rows of mailed links have seals too, but none is ever sealed afterwards. */
export type SealedTable = keyof typeof SEALED_TABLES | 'password_resets' | 'email_changes';

/** A row as read: the content that Postgres composed, and its seal. */
export interface SealedRow<Content extends object> {
  content: Content;
  /** Null in a row that a release without seals wrote. */
  seal: Buffer | null;
}

export const rowKeys = (secrets: readonly string[]): SealKeys =>
  new SealKeys(secrets, 'omni-jackpot rows of accounts 1');

/** The text that a row's seal authenticates. The content holds the key of the row, so no seal fits another row. */
export const sealTextOf = (table: SealedTable, content: object): string => canonicalJson({ table, content });
