import type { GamerId } from './ids.js';

/** A personal text in the ledger, encrypted for its gamer. Nothing follows the last colon if the gamer was deleted before it was written. */
const ENCRYPTED = /^encrypted:1:([^:]+):([\w-]*)$/;
export const ENCRYPTED_PREFIX = 'encrypted:1:';

/** Shown in place of an encrypted text whose key is destroyed. */
export const ERASED_TEXT = 'erased';

export const encryptedText = (gamerId: GamerId, encrypted: Uint8Array): string =>
  `${ENCRYPTED_PREFIX}${gamerId}:${Buffer.from(encrypted).toString('base64url')}`;

/** The gamer and the bytes of an encrypted text; null for a plain text. */
export function readEncrypted(text: string): { gamerId: GamerId; encrypted: Buffer } | null {
  const [, gamerId, encrypted] = (text.startsWith(ENCRYPTED_PREFIX) && ENCRYPTED.exec(text)) || [];
  return gamerId === undefined ? null : { gamerId, encrypted: Buffer.from(encrypted as string, 'base64url') };
}

/** Whether a typed text would be read as an encrypted one. */
export const posesAsEncrypted = (typed: string): boolean => typed.trimStart().startsWith(ENCRYPTED_PREFIX);

export const isEncrypted = (text: string): boolean => readEncrypted(text) !== null;
