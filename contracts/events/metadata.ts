import type { CommandId, GamerId } from '../ids.js';

/** Who asked for it. `system` is the timekeeper and the first start. */
export interface Actor {
  id: GamerId | 'system';
  role: 'gamer' | 'admin' | 'auditor' | 'system';
}

/** Carried by every event of ours. */
export interface EventMetadata {
  commandId: CommandId;
  actor: Actor;
  /** Ledger time, epoch milliseconds. Never earlier than the event before it in its stream. */
  at: number;
  /** The version of the event's shape; each has a golden file. */
  schema: number;
  /**
   * SHA-256 of the command's canonical JSON: the same command id with another content is refused. Events that nobody
   * asked for by an id of their own, and those of other streams than `ledger` from before they had it, are without.
   */
  commandHash?: string;
}

/** Carried by the events of the stream `ledger`. */
export interface LedgerMetadata extends EventMetadata {
  commandHash: string;
  /** SHA-256 over the previous event's chain and this event (see domain/chain.ts), lower-case hex. */
  chain: string;
}
