import type { RefusalCode } from '../refusals.js';

/* In the bodies of this folder, amounts are integer cents and times epoch milliseconds, unless a name says otherwise. */

/** Idempotency key of a command: a second request with the same key gets the first one's response. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Response to a command: the log position of its last event. */
export const POSITION = 'X-Position';

/** Query: wait until the read models have reached this position, for 2 s at most. */
export const AFTER_POSITION = 'X-After-Position';

/**
 * In a response: the id of the session's gamer, or `none`. In a command: the id of the gamer whom the page shows; the
 * command is refused when the session is another gamer's.
 */
export const GAMER = 'X-Gamer';

/** In a command: the version of the record that the sender read. The command is refused when the record has changed since. */
export const VERSION = 'If-Match';

/** The body of every HTTP failure. */
export interface ErrorBody {
  /** The sentence a person reads. */
  error: string;
  code: RefusalCode;
  /** How long after zero a refused purchase arrived. */
  lateMs?: number | undefined;
  /** The refusal of that purchase, signed by the ledger's key (contracts/transparency/signed-refusal.ts). */
  signedRefusal?: string | undefined;
}

export type MessageResponse = { message: string };

/** A page of a list, and the length of the whole list. */
export type ListPage<Name extends string, Row> = Record<Name, Row[]> & { total: number };
