import { hash } from 'node:crypto';
import type { CommandId } from '../../contracts/ids.js';
import { COMMAND_MEMORY_MS, MAX_REMEMBERED_COMMANDS } from '../../contracts/limits.js';

/** 128 bits of SHA-256 over actor and command id: nobody can find two commands with one key. */
export type CommandKey = Uint32Array;

/** Lengths in integers of 32 bits. */
const KEY_LENGTH = 4;
/** A slot holds a key and the distance of the command's revision from `base`, plus one; zero marks a free slot. */
const SLOT_LENGTH = KEY_LENGTH + 1;
/** Each generation has twice the slots of the previous one, up to the maximum. Powers of two. */
const FIRST_SLOTS = 256;
const MAX_SLOTS = 131_072;

/** Commands in the order of the log, as a hash table with linear probing, at most three quarters full. */
export interface Generation {
  /** Revision of the first command; 0 without commands. */
  base: number;
  size: number;
  /** Ledger time from which on newer generations took the commands; null for the newest generation. */
  closedAtMs: number | null;
  table: Uint32Array;
}

/**
 * The revision of each command's first event, from which its response is replayed, for 24 hours or a little longer.
 * Takes about 27 bytes a command, outside the heap; a Map of texts takes 125, in the heap.
 */
export class CommandMemory {
  constructor(private readonly generations: Generation[] = [emptyGeneration(FIRST_SLOTS)]) {}

  get size(): number {
    return this.generations.reduce((sum, { size }) => sum + size, 0);
  }

  /** Revision of the command's first event; undefined for an unknown command. */
  get(key: CommandKey): number | undefined {
    for (let index = this.generations.length - 1; index >= 0; index -= 1) {
      const { table, base } = this.generations[index] as Generation;
      const distance = table[slotOf(table, key) + KEY_LENGTH] as number;
      if (distance !== 0) return base + distance - 1;
    }
    return undefined;
  }

  /** Remembers a command that is not known yet. */
  set(key: CommandKey, revision: number): void {
    if (isFull(this.newest)) this.generations.push(emptyGeneration(Math.min(slotsOf(this.newest) * 2, MAX_SLOTS)));
    const { newest } = this;
    if (newest.size === 0) newest.base = revision;
    const at = slotOf(newest.table, key);
    newest.table.set(key, at);
    newest.table[at + KEY_LENGTH] = revision - newest.base + 1;
    newest.size += 1;
  }

  /** Undoes the last `set`. */
  delete(key: CommandKey): void {
    const { newest, generations } = this;
    // Emptying the slot breaks no probe sequence: this command was the last one added.
    const at = slotOf(newest.table, key);
    newest.table.fill(0, at, at + SLOT_LENGTH);
    newest.size -= 1;
    if (newest.size > 0) return;
    newest.base = 0;
    if (generations.length > 1) generations.pop();
  }

  /** Forgets generations that are too old or too many. Called only after a commit, because it cannot be undone. */
  forget(at: number): void {
    const { generations } = this;
    for (let index = generations.length - 2; index >= 0; index -= 1) {
      const older = generations[index] as Generation;
      if (older.closedAtMs !== null) break;
      older.closedAtMs = at;
    }
    for (let [oldest] = generations; oldest && oldest.closedAtMs !== null; [oldest] = generations) {
      const isNeeded = at - oldest.closedAtMs <= COMMAND_MEMORY_MS && this.size - oldest.size < MAX_REMEMBERED_COMMANDS;
      if (isNeeded) return;
      generations.shift();
    }
  }

  /** A copy of the generations, oldest first. */
  copy(): Generation[] {
    // Closed generations never change, so they are shared.
    return this.generations.map((one) => (one.closedAtMs === null ? { ...one, table: one.table.slice() } : one));
  }

  /** Restores the next generation of a copy. */
  append(generation: Generation): void {
    if (this.size === 0) this.generations.pop();
    this.generations.push(generation);
  }

  private get newest(): Generation {
    return this.generations.at(-1) as Generation;
  }
}

let last: { actorId: string; commandId: CommandId; key: CommandKey } | undefined;

/** The key of a command. Remembers the last one, because the events of one command follow each other. */
export function commandKey(actorId: string, commandId: CommandId): CommandKey {
  if (last?.commandId === commandId && last.actorId === actorId) return last.key;
  const digest = hash('sha256', `${actorId} ${commandId}`, 'buffer');
  const key = Uint32Array.from({ length: KEY_LENGTH }, (_, index) => digest.readUInt32LE(index * 4));
  last = { actorId, commandId, key };
  return key;
}

const emptyGeneration = (slots: number): Generation => ({
  base: 0,
  size: 0,
  closedAtMs: null,
  table: new Uint32Array(slots * SLOT_LENGTH),
});

const slotsOf = ({ table }: Generation): number => table.length / SLOT_LENGTH;
const isFull = (generation: Generation): boolean => generation.size * 4 >= slotsOf(generation) * 3;

/** Index of the first word of the key's slot, or of the free slot where it belongs. */
function slotOf(table: Uint32Array, key: CommandKey): number {
  let at = ((key[0] as number) & (table.length / SLOT_LENGTH - 1)) * SLOT_LENGTH;
  while (table[at + KEY_LENGTH] !== 0 && !isAt(table, at, key)) {
    at += SLOT_LENGTH;
    if (at === table.length) at = 0;
  }
  return at;
}

const isAt = (table: Uint32Array, at: number, key: CommandKey): boolean =>
  table[at] === key[0] && table[at + 1] === key[1] && table[at + 2] === key[2] && table[at + 3] === key[3];
