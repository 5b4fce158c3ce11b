import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { ERASED_TEXT, encryptedText, readEncrypted } from '../../../../contracts/encrypted-text.js';
import type { CommandId, GamerId } from '../../../../contracts/ids.js';
import { decrypt, ENCRYPTION_KEY_BYTES, encrypt } from '../encryption.js';

/** The table `auth.text_keys`. Deleting an account deletes its key. */
@Injectable()
export class TextKeysStore {
  constructor(private readonly pool: Pool) {}

  /** The gamer's key, made at the first use; null without an account. */
  async keyOf(gamerId: GamerId): Promise<Buffer | null> {
    const known = (await this.keysOf([gamerId])).get(gamerId);
    if (known !== undefined) return known;
    const { rows } = await this.pool.query<{ key: Buffer }>(
      `INSERT INTO auth.text_keys (gamer_id, key) SELECT gamer_id, $2 FROM auth.accounts WHERE gamer_id = $1
       ON CONFLICT (gamer_id) DO UPDATE SET gamer_id = excluded.gamer_id RETURNING key`,
      [gamerId, newTextKey()],
    );
    return rows[0]?.key ?? null;
  }

  /** The keys of these gamers, without those that do not exist. */
  async keysOf(gamerIds: readonly GamerId[]): Promise<Map<GamerId, Buffer>> {
    const { rows } = await this.pool.query<{ gamerId: GamerId; key: Buffer }>(
      'SELECT gamer_id AS "gamerId", key FROM auth.text_keys WHERE gamer_id = ANY ($1::text[])',
      [gamerIds],
    );
    return new Map(rows.map(({ gamerId, key }) => [gamerId, key]));
  }
}

/* Encrypted under the gamer's own key. The nonce is an HMAC, so that a repeated command has the same hash. */

/** The first half encrypts, the second makes nonces. */
export const newTextKey = (): Buffer => randomBytes(2 * ENCRYPTION_KEY_BYTES);

const encryptionKeyOf = (key: Buffer): Buffer => key.subarray(0, ENCRYPTION_KEY_BYTES);
const nonceKeyOf = (key: Buffer): Buffer => key.subarray(ENCRYPTION_KEY_BYTES);

export interface PlainText {
  gamerId: GamerId;
  commandId: CommandId;
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
