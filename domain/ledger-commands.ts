import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { Actor } from '../contracts/events/metadata.js';
import type { GamerId } from '../contracts/ids.js';
import type { TimerSettings } from '../contracts/limits.js';
import type { Refusal } from '../contracts/messages.js';

/** What can be asked of the ledger. A command holds only what its sender chose: its hash is what makes a repeat a repeat. */
export type LedgerCommand =
  /** The admin takes the root of the matrix; the first command ever. */
  | { type: 'EnrolHouse'; gamerId: GamerId }
  | { type: 'EnrolGamer'; gamerId: GamerId; sponsorId: GamerId | null }
  | { type: 'StartGame' }
  | { type: 'ForceStartLive' }
  | { type: 'ResetGame'; reason: string }
  | { type: 'ChangeTimers'; timers: TimerSettings }
  /** The timekeeper's: do what is due. `lastAliveAtEpochMs` is when any api node last had contact with log and tables. */
  | { type: 'AdvanceClock'; lastAliveAtEpochMs: number }
  | { type: 'BuyTokens'; buyerId: GamerId; quantity: number }
  | { type: 'TransferWinnings'; gamerId: GamerId; amountCents: number }
  | { type: 'AdjustBalance'; gamerId: GamerId; purchaseCents: number; winningsCents: number; reason: string }
  | { type: 'SetDepositorStatus'; gamerId: GamerId; isDepositor: boolean };

/** Time, identity and randomness, as arguments. */
export interface CommandContext {
  /** Ledger time, epoch milliseconds: the command's arrival, never earlier than the last event's time. */
  at: number;
  actor: Actor;
  /** A fresh id for what this command may create (a purchase). */
  freshId: string;
}

/** Accepted (an empty list: nothing was to be done) or refused. */
export type Decision = { events: LedgerEvent[]; refusal?: undefined } | { refusal: Refusal };

export const accept = (...events: LedgerEvent[]): Decision => ({ events });
export const refuse = (refusal: Refusal): Decision => ({ refusal });
