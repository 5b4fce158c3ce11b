import type { TicketStatus } from '../../../contracts/http/support.js';
import { createTable } from '../columns.js';
import type { Db } from '../database.js';
import { TicketRow } from './tables.entity.js';
import { eraseRemoved, oneByOne, type View } from './view.js';

/** A removed gamer's tickets are deleted (decision 38); one that comes after the removal is not inserted. */
export const ticketsView: View = {
  name: 'tickets',
  version: 2,
  tables: ['tickets', 'tickets_removed_gamers'],
  ddl: `${createTable(TicketRow)}
    CREATE INDEX tickets_newest ON tickets (created_at_ms DESC, id);
    CREATE INDEX tickets_open ON tickets (created_at_ms DESC, id) WHERE status = 'open';
    CREATE INDEX tickets_by_gamer ON tickets (gamer_id, created_at_ms DESC, id);
    CREATE TABLE tickets_removed_gamers (gamer_id text PRIMARY KEY)`,

  async apply(batch, db) {
    await applyTickets(batch, db);
    await eraseRemoved(batch, db, 'tickets', 'tickets_removed_gamers');
  },
};

const applyTickets = oneByOne({
  TicketOpened: ({ ticketId, gamerId, subject, message }, db, atMs) =>
    db.query(
      `INSERT INTO tickets (id, gamer_id, subject, message, status, created_at_ms)
       SELECT $1, $2, $3, $4, 'open', $5
       WHERE NOT EXISTS (SELECT FROM tickets_removed_gamers WHERE gamer_id = $2)`,
      [ticketId, gamerId, subject, message, atMs],
    ),
  TicketClosed: (data, db, atMs) => update(db, data, 'closed', atMs),
  TicketReopened: (data, db, atMs) => update(db, data, 'open', atMs),
  TicketNoted: (data, db, atMs) => update(db, data, null, atMs),
});

async function update(
  db: Db,
  { ticketId, adminNotes }: { ticketId: string; adminNotes: string | null },
  status: TicketStatus | null,
  atMs: number,
): Promise<void> {
  await db.query(
    `UPDATE tickets SET status = coalesce($2, status), admin_notes = coalesce($3, admin_notes),
       resolved_at_ms = CASE $2 WHEN 'closed' THEN $4 WHEN 'open' THEN NULL ELSE resolved_at_ms END,
       answered_at_ms = CASE WHEN $3::text IS NULL THEN answered_at_ms ELSE $4 END
     WHERE id = $1`,
    [ticketId, status, adminNotes, atMs],
  );
}
