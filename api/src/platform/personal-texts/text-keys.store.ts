import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerId } from '../../../../contracts/ids.js';
import { newTextKey } from './text-encryption.js';

/** The table `auth.text_keys`. Deleting an account deletes its key. */
@Injectable()
export class TextKeysStore {
  constructor(private readonly pool: Pool) {}

  /** The gamer's key, made at the first use; null without an account. */
  async keyOf(gamerId: GamerId): Promise<Buffer | null> {
    const known = (await this.keysOf([gamerId])).get(gamerId);
    if (known !== undefined) return known;
    await this.pool.query(
      `INSERT INTO auth.text_keys (gamer_id, key) SELECT gamer_id, $2 FROM auth.accounts WHERE gamer_id = $1
       ON CONFLICT DO NOTHING`,
      [gamerId, newTextKey()],
    );
    return (await this.keysOf([gamerId])).get(gamerId) ?? null;
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
