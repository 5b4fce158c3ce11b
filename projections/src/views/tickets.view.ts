import type { TicketStatus } from '../../../contracts/http/support.js';
import { texts } from '../array-literals.js';
import type { Db } from '../database.js';
import type { Batch, Projected, View } from './view.js';

/**
 * Support tickets. A removed gamer's are gone (decision 38), also one that was opened at the very moment of the removal
 * and so stands behind it in the log; what is said about a ticket that is not here is said about one of those.
 */
export const ticketsView: View = {
  name: 'tickets',
  version: 2,
  tables: ['tickets', 'tickets_removed_gamers'],
  ddl: `
    CREATE TABLE tickets (
      id text PRIMARY KEY,
      gamer_id text NOT NULL,
      subject text NOT NULL,
      message text NOT NULL,
      status text NOT NULL,
      admin_notes text,
      created_at_ms bigint NOT NULL,
      resolved_at_ms bigint
    );
    CREATE INDEX tickets_newest ON tickets (created_at_ms DESC, id);
    CREATE INDEX tickets_open ON tickets (created_at_ms DESC, id) WHERE status = 'open';
    CREATE INDEX tickets_by_gamer ON tickets (gamer_id, created_at_ms DESC, id);
    CREATE TABLE tickets_removed_gamers (gamer_id text PRIMARY KEY)`,

  // Row by row: people write tickets and read them, so a batch holds few.
  async apply(batch, db) {
    if (TYPES.some((type) => batch.ofType(type).length > 0))
      for (const projected of batch) await applyOne(projected, db);
    await forget(batch, db);
  },
};

const TYPES = ['TicketOpened', 'TicketClosed', 'TicketReopened', 'TicketNoted'] as const;

async function applyOne({ event, metadata: { at } }: Projected, db: Db): Promise<void> {
  switch (event.type) {
    case 'TicketOpened': {
      const { ticketId, gamerId, subject, message } = event.data;
      await db.query(
        `INSERT INTO tickets (id, gamer_id, subject, message, status, created_at_ms)
         SELECT $1, $2, $3, $4, 'open', $5
         WHERE NOT EXISTS (SELECT FROM tickets_removed_gamers WHERE gamer_id = $2)`,
        [ticketId, gamerId, subject, message, at],
      );
      return;
    }
    case 'TicketClosed':
      return update(db, event.data, 'closed', at);
    case 'TicketReopened':
      return update(db, event.data, 'open', null);
    case 'TicketNoted':
      await db.query('UPDATE tickets SET admin_notes = $2 WHERE id = $1', [event.data.ticketId, event.data.adminNotes]);
  }
}

async function update(
  db: Db,
  { ticketId, adminNotes }: { ticketId: string; adminNotes: string | null },
  status: TicketStatus,
  resolvedAtMs: number | null,
): Promise<void> {
  await db.query(
    `UPDATE tickets SET status = $2, resolved_at_ms = $3, admin_notes = coalesce($4, admin_notes) WHERE id = $1`,
    [ticketId, status, resolvedAtMs, adminNotes],
  );
}

async function forget(batch: Batch, db: Db): Promise<void> {
  const removed = batch.ofType('GamerRemoved').map(({ event }) => event.data.gamerId);
  if (removed.length === 0) return;
  await db.query('INSERT INTO tickets_removed_gamers SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING', [
    texts(removed),
  ]);
  await db.query('DELETE FROM tickets WHERE gamer_id = ANY ($1::text[])', [texts(removed)]);
}
