import type { LedgerEvent, LedgerEventType } from '../../contracts/events/ledger-events.js';
import type { LedgerMetadata } from '../../contracts/events/metadata.js';
import { COMMAND_MEMORY_MS, MAX_REMEMBERED_COMMANDS } from '../../contracts/limits.js';
import type { FaultReporter } from '../replay/finding.js';

/**
 * The only effects of several events: a purchase with its extension, a round that is forced live at once, a daily start or its
 * skipping with the plan for the next day, staff who get or lose powers, and a batch of payouts, which may have more than two.
 */
const SECOND_EVENTS: Partial<Record<LedgerEventType, LedgerEventType[]>> = {
  TokenPurchased: ['TimeExtended'],
  GameStarted: ['LiveStarted', 'GameScheduled'],
  GameReset: ['GameScheduled'],
  StaffStatusSet: ['PowersSet'],
  PowersSet: ['StaffStatusSet'],
  PayoutOrdered: ['PayoutOrdered'],
};

/** The newest effects, by actor and command id. */
type Remembered = { since: number; commands: Map<string, number> };

/**
 * Checks that a command has one effect: its events follow each other, with one hash, actor and ledger time. Its id has
 * no second effect within 24 hours or a million commands. Exactly one extension follows every purchase.
 */
export class Commands {
  private last: { type: LedgerEventType; metadata: LedgerMetadata } | null = null;
  /** Number of events of the last command. */
  private length = 0;
  private newest: Remembered = { since: 0, commands: new Map() };
  private older: Remembered = this.newest;

  constructor(private readonly fault: FaultReporter) {}

  take({ type }: LedgerEvent, metadata: LedgerMetadata) {
    const { last } = this;
    const isSame =
      last !== null && last.metadata.commandId === metadata.commandId && last.metadata.actor.id === metadata.actor.id;
    this.last = { type, metadata };
    if (isSame) return this.goOn(last, type, metadata);
    this.length = 1;
    this.begin(metadata);
    if (last?.type === 'TokenPurchased') this.fault('follows a purchase that has no extension');
    if (type === 'TimeExtended') this.fault('is of another command than a purchase');
  }

  private goOn(last: NonNullable<Commands['last']>, type: LedgerEventType, metadata: LedgerMetadata): void {
    this.length += 1;
    if ((this.length > 2 && type !== 'PayoutOrdered') || !SECOND_EVENTS[last.type]?.includes(type))
      this.fault(`is a second effect of the command ${metadata.commandId}`);
    if (last.metadata.commandHash !== metadata.commandHash)
      this.fault(`has another hash of the command ${metadata.commandId} than the event before it`);
    if (last.metadata.at !== metadata.at || last.metadata.actor.role !== metadata.actor.role)
      this.fault('has another time or role than the event before it, which is of the same command');
  }

  private begin({ actor, commandId, at }: LedgerMetadata): void {
    const key = `${actor.id} ${commandId}`;
    const effectAt = this.newest.commands.get(key) ?? this.older.commands.get(key);
    if (effectAt !== undefined && at - effectAt <= COMMAND_MEMORY_MS)
      this.fault(`is a second effect of the command ${commandId} of ${actor.id}`);
    const isFull = this.newest.commands.size >= MAX_REMEMBERED_COMMANDS;
    // Older commands than those of the two maps are forgotten by the game, too.
    if (isFull || at - this.newest.since > COMMAND_MEMORY_MS) {
      this.older = this.newest;
      this.newest = { since: at, commands: new Map() };
    }
    this.newest.commands.set(key, at);
  }
}
