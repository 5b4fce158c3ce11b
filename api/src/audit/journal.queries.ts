import type { EntityManager } from 'typeorm';
import type { LedgerEventType } from '../../../contracts/events/ledger-events.js';
import type { TrialBalanceAccount } from '../../../contracts/http/audit.js';
import type { LedgerAccount } from '../../../contracts/ledger-accounts.js';
import type { Cents } from '../../../contracts/money.js';
import type { TrialBalance } from '../../../domain/trial-balance.js';

/** The journal of one account, in groups: a change, or the purchases of a day between two other changes. */
export interface JournalGroup {
  /** Null for purchases. */
  type: LedgerEventType | null;
  lastRevision: number;
  lastAtMs: number;
  firstRound: number;
  lastRound: number;
  events: number;
  cents: Cents;
  /** Sum of the period's groups up to and including this one. */
  sumCents: Cents;
}

export interface Period {
  /** The start of each day, in order. */
  dayStarts: number[];
  /** The end of the last day; null if that day is not over. */
  endMs: number | null;
}

export interface GroupsPage {
  order: 'oldest-first' | 'newest-first';
  skip: number;
  take: number;
  /** True: every purchase is a group of its own. */
  eachPurchase: boolean;
}

/**
 * The account's balance at the start of the day. A saved trial balance has it for all but the gamers' accounts, so only a
 * few postings need adding up. The journal has no index by time, so the saved trial balances bound the revisions to read.
 */
export async function openingOf(tables: EntityManager, account: LedgerAccount, startMs: number): Promise<Cents> {
  const [before] = await tables.query<{ revision: string; trialBalance: TrialBalance }[]>(
    'SELECT revision, trial_balance AS "trialBalance" FROM read.ledger_trial_balances WHERE at_ms < $1 ORDER BY revision DESC LIMIT 1',
    [startMs],
  );
  if (!before) return 0;
  const isInTrialBalance = account in before.trialBalance.accounts;
  const [sum] = await tables.query<{ cents: string | null }[]>(
    `SELECT sum(cents) AS cents FROM read.journal
     WHERE account = $1 AND at_ms < $2 AND revision BETWEEN $3 AND ${firstSavedRevisionFrom('$2')}`,
    [account, startMs, isInTrialBalance ? Number(before.revision) + 1 : 0],
  );
  return (
    (isInTrialBalance ? before.trialBalance.accounts[account as TrialBalanceAccount] : 0) + Number(sum?.cents ?? 0)
  );
}

/** SQL for an upper bound: the revision of the first saved trial balance at or after this time. */
const firstSavedRevisionFrom = (time: string): string =>
  `(SELECT coalesce(min(revision) FILTER (WHERE at_ms >= ${time}), max(revision)) FROM read.ledger_trial_balances)`;

/** A page of the period's groups, and the number and sum of all of them. Rounds are numbered from 1, so the round of a
 * revision is the number of rounds started up to it. */
export async function groupsOf(
  tables: EntityManager,
  account: LedgerAccount,
  { dayStarts, endMs }: Period,
  { order, skip, take, eachPurchase }: GroupsPage,
): Promise<{ groups: JournalGroup[]; total: number; totalCents: Cents }> {
  const rows = await tables.query<Record<keyof JournalGroup | 'total' | 'totalCents', string | null>[]>(
    `WITH lines AS (
       SELECT one.revision, one.cents, one.at_ms, typed.type,
         count(typed.revision) OVER (ORDER BY one.revision) AS changes_so_far,
         CASE WHEN typed.revision IS NULL THEN width_bucket(one.at_ms, $3::bigint[]) END AS day,
         CASE WHEN $5 THEN one.revision END AS purchase
       FROM read.journal AS one LEFT JOIN read.ledger_events_by_type AS typed ON typed.revision = one.revision
       WHERE one.account = $1 AND one.at_ms >= $2 AND one.at_ms < $4
         AND one.revision >= (SELECT coalesce(max(revision), 0) FROM read.ledger_trial_balances WHERE at_ms < $2)
         AND one.revision <= ${firstSavedRevisionFrom('$4')}
     ),
     groups AS (
       SELECT type, min(revision) AS first, max(revision) AS last, max(at_ms) AS at_ms, count(*) AS events, sum(cents) AS cents
       FROM lines GROUP BY type, changes_so_far, day, purchase
     ),
     page AS (
       SELECT *, sum(cents) OVER (ORDER BY last) AS sum_cents FROM groups
       ORDER BY last ${order === 'newest-first' ? 'DESC' : 'ASC'} OFFSET $6 LIMIT $7
     ),
     rounds AS (SELECT coalesce(array_agg(first_revision ORDER BY round_id), '{}') AS begun FROM read.ledger_rounds)
     SELECT total, "totalCents", type, last AS "lastRevision", at_ms AS "lastAtMs", events, cents, sum_cents AS "sumCents",
       width_bucket(first, begun) AS "firstRound", width_bucket(last, begun) AS "lastRound"
     FROM (SELECT count(*) AS total, coalesce(sum(cents), 0) AS "totalCents" FROM groups) AS whole
       CROSS JOIN rounds LEFT JOIN page ON true
     ORDER BY last ${order === 'newest-first' ? 'DESC' : 'ASC'}`,
    [account, dayStarts[0], dayStarts, endMs ?? Number.MAX_SAFE_INTEGER, eachPurchase, skip, take],
  );
  return {
    groups: rows
      .filter(({ lastRevision }) => lastRevision !== null)
      .map(({ type, total: _total, totalCents: _totalCents, ...figures }) => ({
        type: type as JournalGroup['type'],
        ...numbers(figures),
      })),
    total: Number(rows[0]?.total),
    totalCents: Number(rows[0]?.totalCents),
  };
}

const numbers = <T extends object>(figures: T) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value)])) as Record<keyof T, number>;

export async function servedOf(tables: EntityManager, account: LedgerAccount): Promise<Cents> {
  const [row] = await tables.query<{ cents: string }[]>('SELECT cents FROM read.balances WHERE account = $1', [
    account,
  ]);
  return Number(row?.cents ?? 0);
}
