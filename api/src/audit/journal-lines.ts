/**
 * SQL of the postings on an account with revisions from one to another, as a table of `first_revision`, `revision`, `cents`
 * and `at_ms`. All three arguments are SQL. It reads the account's pages in the range alone, by their key; ordered by
 * `first_revision, revision`, the planner stops at a LIMIT.
 */
export const journalLines = (account: string, from: string, to: string): string => `(
  SELECT page.first_revision, line.*
  FROM read.journal_pages AS page
    CROSS JOIN LATERAL unnest(page.revisions, page.cents, page.at_ms) AS line (revision, cents, at_ms)
  WHERE page.account = ${account} AND page.first_revision <= ${to} AND line.revision BETWEEN ${from} AND ${to}
    AND page.first_revision >= coalesce((SELECT max(before.first_revision) FROM read.journal_pages AS before
      WHERE before.account = ${account} AND before.first_revision <= ${from}), 0))`;
