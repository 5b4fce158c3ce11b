import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const LENGTH = 20;

/** Random bytes are asked for by the thousand: each call to the system costs as much as deciding a purchase. */
const pool = Buffer.alloc(LENGTH * 256);
let used = pool.length;

/** 20 characters of [0-9a-z], about 103 bits. */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let id = '';
  for (const last = used + LENGTH; used < last; used += 1) id += ALPHABET[(pool[used] as number) % 36];
  return id;
}
