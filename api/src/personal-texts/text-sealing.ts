import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { CommandId, GamerId } from '../../../contracts/ids.js';
import { ERASED_TEXT, readSealed, sealedText } from '../../../contracts/sealed-text.js';

/*
 * AES-256-GCM under a gamer's own key, with the gamer's id as additional data. The nonce is an HMAC of the command, the field
 * and the text, so that a repeated command has the same bytes, and with them the same hash.
 */

const CIPHER = 'aes-256-gcm';
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;
/** The first half encrypts, the second makes nonces. */
const KEY_LENGTH = 64;

export const newTextKey = (): Buffer => randomBytes(KEY_LENGTH);

export interface PlainText {
  gamerId: GamerId;
  commandId: CommandId;
  /** The field that will hold it. */
  field: string;
  text: string;
}

/** @param key null when the gamer is deleted: the text is then erased before it is written */
export function seal({ gamerId, commandId, field, text }: PlainText, key: Buffer | null): string {
  if (key === null) return sealedText(gamerId, Buffer.alloc(0));
  const nonce = createHmac('sha256', key.subarray(KEY_LENGTH / 2))
    .update(JSON.stringify([commandId, field, text]))
    .digest()
    .subarray(0, NONCE_LENGTH);
  const cipher = createCipheriv(CIPHER, key.subarray(0, KEY_LENGTH / 2), nonce).setAAD(Buffer.from(gamerId));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return sealedText(gamerId, Buffer.concat([nonce, encrypted, cipher.getAuthTag()]));
}

/** Returns the plain text; ERASED_TEXT when the key is missing or another one. A text that is not sealed stays as it is. */
export function open(text: string, keyOf: (gamerId: GamerId) => Buffer | undefined): string {
  const found = readSealed(text);
  if (found === null) return text;
  const { gamerId, sealed } = found;
  const key = keyOf(gamerId);
  if (key === undefined || sealed.length < NONCE_LENGTH + TAG_LENGTH) return ERASED_TEXT;
  const decipher = createDecipheriv(CIPHER, key.subarray(0, KEY_LENGTH / 2), sealed.subarray(0, NONCE_LENGTH))
    .setAAD(Buffer.from(gamerId))
    .setAuthTag(sealed.subarray(-TAG_LENGTH));
  try {
    const opened = decipher.update(sealed.subarray(NONCE_LENGTH, -TAG_LENGTH));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    // Sealed under a key that was lost with the database, or altered.
    return ERASED_TEXT;
  }
}
