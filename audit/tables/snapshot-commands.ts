import { hash } from 'node:crypto';
import type { LedgerMetadata } from '../../contracts/events/metadata.js';
import { COMMAND_MEMORY_MS, MAX_REMEMBERED_COMMANDS } from '../../contracts/limits.js';
import { faultsOf } from '../replay/finding.js';

/** Integers of a key: the first 128 bits of SHA-256 over actor and command id. */
const KEY = 4;
/** A slot is a key and the distance of its revision from `base`, plus one; a free slot is all zeros. */
const SLOT = KEY + 1;

/** Consecutive commands as a node stores them: a hash table with linear probing, base64 of little-endian integers. */
interface StoredGeneration {
  base: number;
  size: number;
  closedAt: number | null;
  table: string;
}

interface Generation {
  base: number;
  size: number;
  closedAt: number | null;
  table: Uint32Array;
  /** Commands of the log that were found here, and the ledger time of the last. */
  found: number;
  lastAt: number;
}

/**
 * Compares the commands that a snapshot remembers with the log. They must be the newest ones without a gap, each with the
 * revision of its first event, and go back for 24 hours or a million commands: a forgotten one could be carried out twice.
 */
export class RememberedCommands {
  private readonly generations: Generation[];
  /** The key of the present command, kept because one is made for each command of the log. */
  private readonly key = new Uint32Array(KEY);
  private readonly keyBytes = Buffer.from(this.key.buffer);
  private last = '';
  private forgottenAt = Number.NEGATIVE_INFINITY;
  private hasGap = false;

  /** Throws when a table is none. */
  constructor(stored: readonly StoredGeneration[]) {
    this.generations = stored.map(({ base, size, closedAt, table }) => ({
      ...{ base, size, closedAt, found: 0, lastAt: 0 },
      table: new Uint32Array(new Uint8Array(Buffer.from(table, 'base64')).buffer),
    }));
  }

  /** Takes the next event of the log. */
  take(revision: number, { actor, commandId, at }: LedgerMetadata): void {
    const command = `${actor.id} ${commandId}`;
    if (command === this.last) return;
    this.last = command;
    this.keyBytes.write(hash('sha256', command), 'hex');
    const { key } = this;
    const generation = this.generations.find((one) => revisionIn(one, key) === revision);
    if (generation === undefined) {
      this.forgottenAt = at;
      this.hasGap ||= this.found > 0;
    } else {
      generation.found += 1;
      generation.lastAt = at;
    }
  }

  /** @param at ledger time of the snapshot's event */
  faults(at: number): string[] {
    const { generations } = this;
    const isForgotten = at - this.forgottenAt <= COMMAND_MEMORY_MS && this.found < MAX_REMEMBERED_COMMANDS;
    return faultsOf([
      [this.hasGap || isForgotten, 'lacks commands that must be remembered'],
      [
        generations.length === 0 || generations.some((one) => one.found !== one.size || !isExact(one)),
        'remembers other commands than the log has',
      ],
      [
        generations.some((one, index) => !isClosedInTime(one, index === generations.length - 1, at)),
        'would forget commands too early or never',
      ],
    ]);
  }

  private get found(): number {
    return this.generations.reduce((sum, { found }) => sum + found, 0);
  }
}

/** The revision under a key; undefined without one. */
function revisionIn({ table, base }: Generation, key: Uint32Array): number | undefined {
  const slots = table.length / SLOT;
  for (let probe = 0; probe < slots; probe += 1) {
    const at = (((key[0] as number) + probe) & (slots - 1)) * SLOT;
    const distance = table[at + KEY];
    if (distance === undefined || distance === 0) return undefined;
    let same = 0;
    while (same < KEY && table[at + same] === key[same]) same += 1;
    if (same === KEY) return base + distance - 1;
  }
  return undefined;
}

/** True when the table has `size` entries, and its other slots are free. */
function isExact({ table, size, base }: Generation): boolean {
  let used = 0;
  for (let at = 0; at < table.length; at += SLOT) {
    if (table[at + KEY] !== 0) used += 1;
    else if (table.subarray(at, at + KEY).some((word) => word !== 0)) return false;
  }
  return used === size && table.length % SLOT === 0 && (size > 0 || base === 0);
}

/** A generation is closed soon after its last command, when a newer one takes the next commands. */
function isClosedInTime({ closedAt, lastAt }: Generation, isNewest: boolean, at: number): boolean {
  if (isNewest || closedAt === null) return isNewest && closedAt === null;
  return closedAt >= lastAt && closedAt <= at;
}
