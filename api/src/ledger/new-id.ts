import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

/** 20 characters of [0-9a-z], about 103 bits. */
export function newId(): string {
  let id = '';
  for (const byte of randomBytes(20)) id += ALPHABET[byte % 36];
  return id;
}
