import { createHmac, randomBytes } from 'node:crypto';
import { ERASED_TEXT, encryptedText, readEncrypted } from '../../../../contracts/encrypted-text.js';
import type { CommandId, GamerId } from '../../../../contracts/ids.js';
import { decrypt, ENCRYPTION_KEY_BYTES, encrypt } from '../encryption.js';

/* Encrypted under the gamer's own key. The nonce is an HMAC, so that a repeated command has the same hash. */

/** The first half encrypts, the second makes nonces. */
export const newTextKey = (): Buffer => randomBytes(2 * ENCRYPTION_KEY_BYTES);

const encryptionKeyOf = (key: Buffer): Buffer => key.subarray(0, ENCRYPTION_KEY_BYTES);
const nonceKeyOf = (key: Buffer): Buffer => key.subarray(ENCRYPTION_KEY_BYTES);

export interface PlainText {
  gamerId: GamerId;
  commandId: CommandId;
  /** The field that will hold it. */
  field: string;
  text: string;
}

/** @param key null when the gamer is deleted: the text is then erased before it is written */
export function encryptText({ gamerId, commandId, field, text }: PlainText, key: Buffer | null): string {
  if (key === null) return encryptedText(gamerId, Buffer.alloc(0));
  const nonce = createHmac('sha256', nonceKeyOf(key))
    .update(JSON.stringify([commandId, field, text]))
    .digest();
  return encryptedText(gamerId, encrypt(Buffer.from(text), encryptionKeyOf(key), gamerId, nonce));
}

/** Returns the plain text; ERASED_TEXT when the key is missing or another one. A plain text stays as it is. */
export function decryptText(text: string, keyOf: (gamerId: GamerId) => Buffer | undefined): string {
  const found = readEncrypted(text);
  if (found === null) return text;
  const { gamerId, encrypted } = found;
  const key = keyOf(gamerId);
  if (key === undefined) return ERASED_TEXT;
  try {
    return decrypt(encrypted, encryptionKeyOf(key), gamerId).toString('utf8');
  } catch {
    // Encrypted under a key that was lost with the database, or altered.
    return ERASED_TEXT;
  }
}
