import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerId } from '../../../contracts/ids.js';

const REMEMBERED_DAYS = 60;

/** The table `auth.known_addresses`: where gamers have logged in from lately, as keyed digests. */
@Injectable()
export class KnownAddressesStore {
  constructor(private readonly pool: Pool) {}

  async isKnown(gamerId: GamerId, address: string): Promise<boolean> {
    const found = await this.pool.query(
      `SELECT 1 FROM auth.known_addresses
       WHERE gamer_id = $1 AND address = $2 AND last_seen_at > now() - make_interval(days => $3)`,
      [gamerId, address, REMEMBERED_DAYS],
    );
    return found.rowCount === 1;
  }

  async remember(gamerId: GamerId, address: string, now: Date): Promise<void> {
    await this.pool.query(
      `INSERT INTO auth.known_addresses (gamer_id, address, last_seen_at) VALUES ($1, $2, $3)
       ON CONFLICT (gamer_id, address) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
      [gamerId, address, now],
    );
    await this.pool.query(
      'DELETE FROM auth.known_addresses WHERE gamer_id = $1 AND last_seen_at < $2::timestamptz - make_interval(days => $3)',
      [gamerId, now, REMEMBERED_DAYS],
    );
  }
}
