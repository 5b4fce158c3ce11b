import type { TicketStatus } from '../../../contracts/http/support.js';
import { createTable } from '../columns.js';
import type { Db } from '../database.js';
import { TicketRow } from './tables.entity.js';
import { eraseRemoved, oneByOne, type View } from './view.js';

/** A removed gamer's tickets are deleted (decision 38); one that comes after the removal is not inserted. */
export const ticketsView: View = {
  name: 'tickets',
  version: 4,
  tables: ['tickets', 'tickets_removed_gamers'],
  ddl: `${createTable(TicketRow)}
    CREATE INDEX tickets_newest ON tickets (created_at_ms DESC, id);
    CREATE INDEX tickets_open ON tickets (created_at_ms DESC, id) WHERE status = 'open';
    CREATE INDEX tickets_by_gamer ON tickets (gamer_id, created_at_ms DESC, id);
    CREATE TABLE tickets_removed_gamers (gamer_id text PRIMARY KEY)`,

  apply: oneByOne({
    TicketOpened: (data, db, { atMs }) =>
      db.query(
        `INSERT INTO tickets (id, gamer_id, subject, messages, status, created_at_ms)
         SELECT $1, $2, $3, ${message('gamer', '$4', '$5')}, 'open', $5
         WHERE NOT EXISTS (SELECT FROM tickets_removed_gamers WHERE gamer_id = $2)`,
        [data.ticketId, data.gamerId, data.subject, data.message, atMs],
      ),
    TicketContinued: (data, db, { atMs }) => update('gamer', db, [data.ticketId, 'open', data.message, atMs]),
    TicketClosed: (data, db, { atMs }) => update('support', db, [data.ticketId, 'closed', data.adminNotes, atMs]),
    TicketReopened: (data, db, { atMs }) => update('support', db, [data.ticketId, 'open', data.adminNotes, atMs]),
    TicketNoted: (data, db, { atMs }) => update('support', db, [data.ticketId, null, data.adminNotes, atMs]),
    GamerRemoved: ({ gamerId }, db) => eraseRemoved(db, gamerId, 'tickets', 'tickets_removed_gamers'),
  }),
};

const message = (from: 'gamer' | 'support', text: string, atMs: string): string =>
  `jsonb_build_array(jsonb_build_object('from', '${from}', 'text', ${text}::text, 'atMs', ${atMs}::bigint))`;

const update = (from: 'gamer' | 'support', db: Db, values: [string, TicketStatus | null, string | null, number]) =>
  db.query(
    `UPDATE tickets SET status = coalesce($2, status),
       messages = CASE WHEN $3::text IS NULL THEN messages ELSE messages || ${message(from, '$3', '$4')} END,
       resolved_at_ms = CASE $2 WHEN 'closed' THEN $4::bigint WHEN 'open' THEN NULL ELSE resolved_at_ms END
     WHERE id = $1`,
    values,
  );
