import { integers, texts } from '../array-literals.js';
import type { View } from './view.js';

/**
 * Every posting, as a journal: one row a line of an event's double entry. Of one event the lines sum to zero.
 * The key reads an account's statement in order. Rows lie in the order of the log, so a block range index finds an event
 * and costs next to nothing, where a second tree would cost a third of the worker's speed.
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
    const revisions: number[] = [];
    const lines: number[] = [];
    const accounts: string[] = [];
    const cents: number[] = [];
    const positions: string[] = [];
    const ats: number[] = [];
    const ids: string[] = [];
    for (const { revision, position, id, metadata, postings } of batch) {
      for (const [line, posting] of postings.entries()) {
        revisions.push(revision);
        lines.push(line);
        accounts.push(posting.account);
        cents.push(posting.cents);
        positions.push(position);
        ats.push(metadata.at);
        ids.push(id);
      }
    }
    if (revisions.length === 0) return;
    await db.query(
      `INSERT INTO journal (revision, line, account, cents, position, at_ms, event_id)
       SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::uuid[])`,
      [
        integers(revisions),
        integers(lines),
        texts(accounts),
        integers(cents),
        integers(positions),
        integers(ats),
        texts(ids),
      ],
    );
  },
};
