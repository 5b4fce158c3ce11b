import type { CommandId, GamerId } from '../ids.js';

/**
 * The sender of a command. `system`: no person sent it (timekeeper, payment settlement, callbacks, operator's profile,
 * registration repair).
 */
export interface Actor {
  id: GamerId | 'system';
  role: 'gamer' | 'admin' | 'auditor' | 'operator' | 'system';
}

/** The metadata of every event. */
export interface EventMetadata {
  commandId: CommandId;
  actor: Actor;
  /** Ledger time, epoch milliseconds. Never earlier than the event before it in its stream. */
  at: number;
  /** The version of the event's shape; each has a golden file. */
  schema: number;
  /**
   * SHA-256 of the command's canonical JSON: the same command id with other content is refused. Absent from events without
   * a client's command.
   */
  commandHash?: string;
}

/** The metadata of the events of the stream `ledger`. */
export interface LedgerMetadata extends EventMetadata {
  commandHash: string;
  /** SHA-256 over the previous event's chain and this event (see domain/ledger/chain.ts), lower-case hex. */
  chain: string;
}
