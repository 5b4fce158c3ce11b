import { createHash, randomFillSync } from 'node:crypto';
import type { CommandMetadata } from '../../../domain/ledger/ledger-commands.js';

/* Ids have 20 characters of [0-9a-z], about 103 bits. */
const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const LENGTH = 20;

/** Random bytes are fetched in blocks: one system call costs as much as deciding a purchase. */
const pool = Buffer.alloc(LENGTH * 256);
let used = pool.length;

export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let id = '';
  for (const last = used + LENGTH; used < last; used += 1) id += ALPHABET[(pool[used] as number) % 36];
  return id;
}

/** An id derived from actor and command id: a repeated command creates the same entity, not another one. */
export function derivedId({ actor, commandId }: CommandMetadata): string {
  const digest = createHash('sha256').update(`${actor.id} ${commandId}`).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(-LENGTH);
}
