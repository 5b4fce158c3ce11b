import type { LedgerAccount } from '../../../contracts/ledger-accounts.js';
import { integers, sqlRows } from '../sql-rows.js';
import type { ProjectedEvent, View } from './view.js';

/** A page that has so many postings gets no further event. Larger rows would be compressed and stored apart by Postgres. */
const POSTINGS_PER_PAGE = 64;

/**
 * Every posting by account, as the SQL view `journal`. A row is a page: postings of one account and one batch in log
 * order, because a row for each took half of Postgres' time. Pages do not overlap; their key finds the newest postings.
 */
export const journalView: View = {
  name: 'journal',
  version: 1,
  // The SQL view comes last: dropping the pages drops it too.
  tables: ['journal_pages', 'journal'],
  compared: ['journal'],
  ddl: `
    CREATE TABLE journal_pages (
      account text NOT NULL,
      first_revision bigint NOT NULL,
      revisions bigint[] NOT NULL,
      cents bigint[] NOT NULL,
      at_ms bigint[] NOT NULL,
      PRIMARY KEY (account, first_revision)
    );
    CREATE VIEW journal AS SELECT page.account, line.* FROM journal_pages AS page
      CROSS JOIN LATERAL unnest(page.revisions, page.cents, page.at_ms) AS line (revision, cents, at_ms)`,

  async apply(batch, db) {
    const pages = pagesOf(batch.events);
    if (pages.length === 0) return;
    const { sql, parameters } = sqlRows('page', pages, {
      account: ['text', ({ account }) => account],
      first_revision: ['bigint', ({ revisions }) => revisions[0] as number],
      revisions: ['text', ({ revisions }) => integers(revisions)],
      cents: ['text', ({ cents }) => integers(cents)],
      at_ms: ['text', ({ atMs }) => integers(atMs)],
    });
    await db.query(
      `INSERT INTO journal_pages
       SELECT account, first_revision, revisions::bigint[], cents::bigint[], at_ms::bigint[] FROM ${sql}`,
      parameters,
    );
  },
};

/** Postings of one account: the members at the same index belong together. */
interface JournalPage {
  account: LedgerAccount;
  revisions: number[];
  cents: number[];
  atMs: number[];
}

/** The pages of a batch. An event's postings on an account are on one page. */
function pagesOf(events: readonly ProjectedEvent[]): JournalPage[] {
  const pages: JournalPage[] = [];
  const newest = new Map<LedgerAccount, JournalPage>();
  for (const { revision, metadata, postings } of events) {
    for (const { account, cents } of postings) {
      let page = newest.get(account);
      if (page === undefined || (page.revisions.length >= POSTINGS_PER_PAGE && page.revisions.at(-1) !== revision)) {
        page = { account, revisions: [], cents: [], atMs: [] };
        newest.set(account, page);
        pages.push(page);
      }
      page.revisions.push(revision);
      page.cents.push(cents);
      page.atMs.push(metadata.at);
    }
  }
  return pages;
}
