import { sqlRows } from '../sql-rows.js';
import type { View } from './view.js';

/**
 * The journal: one row per posting. An event's postings sum to zero. The primary key returns an account's statement in
 * order. Rows are stored in log order, so a block range index (BRIN) finds an event at almost no cost, while a second
 * B-tree would cost a third of the worker's speed.
 */
export const journalView: View = {
  name: 'journal',
  version: 1,
  tables: ['journal'],
  ddl: `
    CREATE TABLE journal (
      revision bigint NOT NULL,
      line smallint NOT NULL,
      account text NOT NULL,
      cents bigint NOT NULL,
      position bigint NOT NULL,
      at_ms bigint NOT NULL,
      event_id uuid NOT NULL,
      PRIMARY KEY (account, revision, line)
    );
    CREATE INDEX journal_by_revision ON journal USING brin (revision)`,

  async apply(batch, db) {
    const posted = batch.events.filter(({ postings }) => postings.length > 0);
    if (posted.length === 0) return;
    const { sql, parameters } = sqlRows('posted', posted, {
      revision: ['bigint', ({ revision }) => revision],
      position: ['bigint', ({ position }) => position],
      at_ms: ['bigint', ({ metadata }) => metadata.at],
      event_id: ['uuid', ({ id }) => id],
      accounts: ['text', ({ postings }) => postings.map(({ account }) => account).join(' ')],
      amounts: ['text', ({ postings }) => postings.map(({ cents }) => cents).join(' ')],
    });
    // One row per event, and Postgres makes the lines: the parameters of a row per line would cost as much as its insertion.
    await db.query(
      `INSERT INTO journal (revision, line, account, cents, position, at_ms, event_id)
       SELECT revision, line - 1, account, cents::bigint, position, at_ms, event_id FROM ${sql}
       CROSS JOIN LATERAL unnest(string_to_array(accounts, ' '), string_to_array(amounts, ' '))
         WITH ORDINALITY AS lines (account, cents, line)`,
      parameters,
    );
  },
};
