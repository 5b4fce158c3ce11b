import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { DAY_MS } from '../../../../contracts/durations.js';
import type { SecurityEvent, SecurityEventType } from '../../../../contracts/http/staff.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { SECURITY_EVENTS_KEPT_DAYS } from '../../../../contracts/limits.js';
import { type Page, skipTakeOf } from '../../http/page.js';
import { Clock } from '../../platform/clock.js';

interface NewSecurityEvent {
  type: SecurityEventType;
  /** The account concerned; null for a GamerTag that does not exist. */
  gamerId: GamerId | null;
  actorId?: GamerId;
  address: string;
  detail?: string;
}

/** The table `auth.security_events`. It holds no typed text: gamers type passwords into wrong fields. A deleted account's entries go. */
@Injectable()
export class SecurityTrail {
  constructor(
    /** The pool that logins already use, so recording opens no further connection. */
    private readonly tables: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Also deletes the entries that are too old. */
  async record({ type, gamerId, actorId, address, detail }: NewSecurityEvent): Promise<void> {
    const nowMs = this.clock.now();
    await this.tables.query(
      // The subqueries give null for accounts that were just deleted.
      `WITH old AS (DELETE FROM auth.security_events WHERE at < $7)
       INSERT INTO auth.security_events (at, type, gamer_id, actor_id, address, detail)
       VALUES ($1, $2, (SELECT gamer_id FROM auth.accounts WHERE gamer_id = $3),
         (SELECT gamer_id FROM auth.accounts WHERE gamer_id = $4), $5, $6)`,
      [
        new Date(nowMs),
        type,
        gamerId,
        actorId ?? null,
        address,
        detail ?? null,
        new Date(nowMs - SECURITY_EVENTS_KEPT_DAYS * DAY_MS),
      ],
    );
  }

  /** Newest first. `q`: part of the GamerTag, or the address's beginning; '' for all. */
  async search(q: string, page: Page) {
    const { skip, take } = skipTakeOf(page);
    const rows = await this.tables.query<(SecurityEvent & { total: number })[]>(
      `SELECT entry.id::text AS id, (extract(epoch FROM at) * 1000)::float8 AS "atMs", type,
         account.gamer_tag AS "gamerTag", CASE WHEN account.role <> 'admin' THEN account.gamer_id END AS "gamerId",
         actor.gamer_tag AS "actorGamerTag", address, detail,
         (count(*) OVER ())::int AS total
       FROM auth.security_events AS entry
         LEFT JOIN auth.accounts AS account USING (gamer_id)
         LEFT JOIN auth.accounts AS actor ON actor.gamer_id = entry.actor_id
       WHERE $1 = '' OR strpos(lower(account.gamer_tag), lower($1)) > 0 OR starts_with(address, $1)
       ORDER BY at DESC, entry.id DESC LIMIT $2 OFFSET $3`,
      [q, take, skip],
    );
    return { events: rows.map(({ total: _, ...entry }) => entry), total: rows[0]?.total ?? 0 };
  }
}
