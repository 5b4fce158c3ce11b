import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerId, RoundId } from '../../../../contracts/ids.js';

export interface PushSubscription {
  endpoint: string;
  gamerId: GamerId;
  /** The browser's public key and secret, base64url. */
  p256dh: string;
  auth: string;
}

/** A gamer's browsers beyond this number: the oldest subscriptions are dropped. */
const KEPT_PER_GAMER = 10;

/** The table `auth.push_subscriptions`. Deleting a gamer's account deletes the gamer's rows. */
@Injectable()
export class PushSubscriptionsStore {
  constructor(private readonly pool: Pool) {}

  /** Stores a subscription, in place of another gamer's with the same keys. False when only its address is known: others may have it. */
  async save({ endpoint, gamerId, p256dh, auth }: PushSubscription, serverKey: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `INSERT INTO auth.push_subscriptions (endpoint, gamer_id, p256dh, auth, server_key, round_id, subscribed_at)
       VALUES ($1, $2, $3, $4, $5, 0, now())
       ON CONFLICT (endpoint) DO UPDATE SET gamer_id = $2, p256dh = $3, auth = $4, server_key = $5, subscribed_at = now()
       WHERE push_subscriptions.gamer_id = $2 OR (push_subscriptions.p256dh = $3 AND push_subscriptions.auth = $4)`,
      [endpoint, gamerId, p256dh, auth, serverKey],
    );
    if (rowCount === 0) return false;
    await this.pool.query(
      `DELETE FROM auth.push_subscriptions WHERE gamer_id = $1 AND endpoint NOT IN (
         SELECT endpoint FROM auth.push_subscriptions WHERE gamer_id = $1 ORDER BY subscribed_at DESC LIMIT $2)`,
      [gamerId, KEPT_PER_GAMER],
    );
    return true;
  }

  async delete(endpoint: string, gamerId: GamerId): Promise<void> {
    const sql = 'DELETE FROM auth.push_subscriptions WHERE endpoint = $1 AND gamer_id = $2';
    await this.pool.query(sql, [endpoint, gamerId]);
  }

  /** Takes up to `limit` subscriptions that no node took for this round. Skips accounts that never play. */
  async take(roundId: RoundId, serverKey: string, limit: number): Promise<PushSubscription[]> {
    const { rows } = await this.pool.query<PushSubscription>(
      `UPDATE auth.push_subscriptions SET round_id = $1 WHERE endpoint IN (
         SELECT s.endpoint FROM auth.push_subscriptions s JOIN auth.accounts a ON a.gamer_id = s.gamer_id
         WHERE s.round_id < $1 AND s.server_key = $2 AND a.enrolled AND a.role <> 'admin'
         LIMIT $3 FOR UPDATE OF s SKIP LOCKED)
       RETURNING endpoint, gamer_id AS "gamerId", p256dh, auth`,
      [roundId, serverKey, limit],
    );
    return rows;
  }
}
