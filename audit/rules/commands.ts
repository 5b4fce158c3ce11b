import type { LedgerEvent, LedgerEventType } from '../../contracts/events/ledger-events.js';
import type { LedgerMetadata } from '../../contracts/events/metadata.js';
import { COMMAND_MEMORY_MS, MAX_REMEMBERED_COMMANDS } from '../../contracts/limits.js';

/**
 * The only effects of two events: a purchase with its extension, a round that is forced live at once, a daily start or its
 * skipping with the plan for the next day, and staff who get or lose powers.
 */
const SECOND_EVENTS: Partial<Record<LedgerEventType, LedgerEventType[]>> = {
  TokenPurchased: ['TimeExtended'],
  GameStarted: ['LiveStarted', 'GameScheduled'],
  GameReset: ['GameScheduled'],
  StaffStatusSet: ['PowersSet'],
  PowersSet: ['StaffStatusSet'],
};

/** The newest effects, by actor and command id. */
interface Remembered {
  since: number;
  commands: Map<string, number>;
}

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

  take({ type }: LedgerEvent, metadata: LedgerMetadata): string[] {
    const { last } = this;
    const isSame =
      last !== null && last.metadata.commandId === metadata.commandId && last.metadata.actor.id === metadata.actor.id;
    this.last = { type, metadata };
    if (isSame) return this.continued(last, type, metadata);
    this.length = 1;
    const faults = this.begun(metadata);
    if (last?.type === 'TokenPurchased') faults.push('follows a purchase that has no extension');
    if (type === 'TimeExtended') faults.push('is of another command than a purchase');
    return faults;
  }

  private continued(last: NonNullable<Commands['last']>, type: LedgerEventType, metadata: LedgerMetadata): string[] {
    const faults: string[] = [];
    this.length += 1;
    if (this.length > 2 || !SECOND_EVENTS[last.type]?.includes(type))
      faults.push(`is a second effect of the command ${metadata.commandId}`);
    if (last.metadata.commandHash !== metadata.commandHash)
      faults.push(`has another hash of the command ${metadata.commandId} than the event before it`);
    if (last.metadata.at !== metadata.at || last.metadata.actor.role !== metadata.actor.role)
      faults.push('has another time or role than the event before it, which is of the same command');
    return faults;
  }

  private begun({ actor, commandId, at }: LedgerMetadata): string[] {
    const key = `${actor.id} ${commandId}`;
    const effectAt = this.newest.commands.get(key) ?? this.older.commands.get(key);
    const isSecond = effectAt !== undefined && at - effectAt <= COMMAND_MEMORY_MS;
    const isFull = this.newest.commands.size >= MAX_REMEMBERED_COMMANDS;
    // Older commands than those of the two maps are forgotten by the game, too.
    if (isFull || at - this.newest.since > COMMAND_MEMORY_MS) {
      this.older = this.newest;
      this.newest = { since: at, commands: new Map() };
    }
    this.newest.commands.set(key, at);
    return isSecond ? [`is a second effect of the command ${commandId} of ${actor.id}`] : [];
  }
}
