import type { CommandId, GamerId } from '../ids.js';

/** The union of the events in a map from type to data: all of them, or only these types. */
export type EventOf<DataByType, Types extends keyof DataByType = keyof DataByType> = {
  [Type in Types]: { type: Type; data: DataByType[Type] };
}[Types];

/** The sender of a command; `system` when no person sent it. */
export interface Actor {
  id: GamerId | 'system';
  role: 'gamer' | 'admin' | 'auditor' | 'operator' | 'system';
}

export const SYSTEM: Actor = { id: 'system', role: 'system' };

export interface EventMetadata {
  commandId: CommandId;
  actor: Actor;
  /** Ledger time, epoch milliseconds. Never earlier than the event before it in its stream. */
  at: number;
  /** The version of the event's shape; each has a golden file. */
  schema: number;
  /** SHA-256 of the command's canonical JSON: the same command id with other content is refused. Absent without a client's command. */
  commandHash?: string;
}

export interface LedgerMetadata extends EventMetadata {
  commandHash: string;
  /** SHA-256 over the previous event's chain and this event (see domain/ledger/chain.ts), lower-case hex. */
  chain: string;
}
