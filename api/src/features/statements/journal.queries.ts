import { type EntityManager, LessThan } from 'typeorm';
import type { LedgerEventType } from '../../../../contracts/events/ledger-events.js';
import type { TrialBalanceAccount } from '../../../../contracts/http/audit.js';
import type { PlayTotals } from '../../../../contracts/http/statements.js';
import type { GamerId } from '../../../../contracts/ids.js';
import type { LedgerAccount } from '../../../../contracts/ledger-accounts.js';
import type { Cents } from '../../../../contracts/money.js';
import { TrialBalanceRow } from '../../../../projections/src/views/tables.entity.js';

/** SQL of an account's postings; the arguments are SQL. In the order `first_revision, revision` a LIMIT stops early. */
export const journalLines = (account: string, from: string, to: string): string => `(
  SELECT page.first_revision, line.*
  FROM read.journal_pages AS page
    CROSS JOIN LATERAL unnest(page.revisions, page.cents, page.at_ms) AS line (revision, cents, at_ms)
  WHERE page.account = ${account} AND page.first_revision <= ${to} AND line.revision BETWEEN ${from} AND ${to}
    AND page.first_revision >= coalesce((SELECT max(before.first_revision) FROM read.journal_pages AS before
      WHERE before.account = ${account} AND before.first_revision <= ${from}), 0))`;

/** Account of tokens that a gamer paid for by invoice: their journal rows name no gamer. */
export const INVOICE_ACCOUNT: LedgerAccount = 'world:crypto';

export interface JournalQuery {
  accounts: readonly LedgerAccount[];
  /** The gamer whose tokens paid for by invoice are read too, as rows of INVOICE_ACCOUNT; null for none. */
  invoicesOf: GamerId | null;
  /** Every purchase is a group of its own on these accounts, as tokens paid for by invoice always are. */
  eachPurchaseOf: readonly LedgerAccount[];
}

/** A group of journal rows: a change of an account, or the purchases of a day between two other changes. */
export interface JournalGroup {
  account: LedgerAccount;
  /** Null for purchases. */
  type: LedgerEventType | null;
  lastRevision: number;
  lastAtMs: number;
  firstRound: number;
  lastRound: number;
  eventCount: number;
  cents: Cents;
  /** Sum of the account's groups in the period up to and including this one. */
  sumCents: Cents;
}

export type JournalSum = Pick<JournalGroup, 'account' | 'type' | 'cents'>;

export interface Period {
  dayStarts: number[];
  /** The end of the last day; null if that day is not over. */
  endMs: number | null;
  /** Revision of the last event that counts; null: the newest one. */
  lastRevision: number | null;
}

/** A saved trial balance has it for all but gamers' accounts, and bounds the revisions to read: the journal has no index by time. */
export async function openingBalanceOf(tables: EntityManager, account: LedgerAccount, startMs: number): Promise<Cents> {
  const where = { atMs: LessThan(startMs) };
  const before = await tables.findOne(TrialBalanceRow, { where, order: { revision: 'DESC' } });
  if (!before) return 0;
  const savedCents = before.trialBalance.accounts[account as TrialBalanceAccount] as Cents | undefined;
  const [sum] = await tables.query<{ cents: Cents | null }[]>(
    `SELECT sum(cents)::float8 AS cents FROM ${journalLines('$1', '$3', firstSavedRevisionFrom('$2'))} AS line WHERE at_ms < $2`,
    [account, startMs, savedCents === undefined ? 0 : before.revision + 1],
  );
  return (savedCents ?? 0) + (sum?.cents ?? 0);
}

/** SQL for an upper bound: the revision of the first saved trial balance at or after this time. */
const firstSavedRevisionFrom = (time: string): string =>
  `(SELECT coalesce(min(revision) FILTER (WHERE at_ms >= ${time}), max(revision)) FROM read.ledger_trial_balances)`;

/** SQL for a lower bound: the revision of the last saved trial balance before the period. */
const LAST_SAVED_BEFORE = '(SELECT coalesce(max(revision), 0) FROM read.ledger_trial_balances WHERE at_ms < $2)';

/** SQL of a period's journal rows. Purchases have no type. */
const LINES = `lines AS (
  SELECT wanted.account, one.revision, one.cents, one.at_ms, typed.type
  FROM unnest($1::text[]) AS wanted (account)
    CROSS JOIN LATERAL ${journalLines('wanted.account', LAST_SAVED_BEFORE, `least($4::bigint, ${firstSavedRevisionFrom('$3')})`)} AS one
    LEFT JOIN read.ledger_events_by_type AS typed ON typed.revision = one.revision
  WHERE one.at_ms >= $2 AND one.at_ms < $3
  UNION ALL
  SELECT '${INVOICE_ACCOUNT}', purchase_revision, -amount_cents, settled_at_ms, NULL FROM read.deposits
  WHERE gamer_id = $5 AND outcome = 'tokens' AND settled_at_ms >= $2 AND settled_at_ms < $3 AND purchase_revision <= $4
)`;

const lineParameters = (
  { accounts, invoicesOf }: JournalQuery,
  { dayStarts, endMs, lastRevision }: Period,
): unknown[] => [
  accounts,
  dayStarts[0],
  endMs ?? Number.MAX_SAFE_INTEGER,
  lastRevision ?? Number.MAX_SAFE_INTEGER,
  invoicesOf,
];

export function sumsOf(tables: EntityManager, query: JournalQuery, period: Period): Promise<JournalSum[]> {
  return tables.query(
    `WITH ${LINES} SELECT account, type, sum(cents)::float8 AS cents FROM lines GROUP BY account, type`,
    lineParameters(query, period),
  );
}

/** A page of the period's groups, and the sums of all. A revision's round is the number of rounds begun by then. */
export async function groupsOf(
  tables: EntityManager,
  query: JournalQuery,
  period: Period,
  { order, skip, take }: { order: 'oldest-first' | 'newest-first'; skip: number; take: number },
): Promise<{ groups: JournalGroup[]; sums: JournalSum[]; total: number }> {
  const direction = order === 'newest-first' ? 'DESC' : 'ASC';
  const rows = await tables.query<GroupRow[]>(
    `WITH ${LINES},
     marked AS (
       SELECT *, count(type) OVER (PARTITION BY account ORDER BY revision) AS changes_so_far,
         CASE WHEN type IS NULL THEN width_bucket(at_ms, $6::bigint[]) END AS day,
         CASE WHEN account = ANY($7) OR account = '${INVOICE_ACCOUNT}' AND $5::text IS NOT NULL THEN revision END AS purchase
       FROM lines
     ),
     groups AS (
       SELECT account, type, min(revision) AS first, max(revision) AS last, max(at_ms) AS at_ms,
         count(*) AS event_count, sum(cents) AS cents
       FROM marked GROUP BY account, type, changes_so_far, day, purchase
     ),
     sums AS (SELECT account, type, sum(cents) AS cents, count(*) AS groups FROM groups GROUP BY account, type),
     page AS (
       SELECT *, sum(cents) OVER (PARTITION BY account ORDER BY last) AS sum_cents FROM groups
       ORDER BY last ${direction}, account ${direction} OFFSET $8 LIMIT $9
     ),
     rounds AS (SELECT coalesce(array_agg(first_revision ORDER BY round_id), '{}') AS begun FROM read.ledger_rounds)
     SELECT sums, account, type, last::float8 AS "lastRevision", at_ms::float8 AS "lastAtMs",
       event_count::int AS "eventCount", cents::float8, sum_cents::float8 AS "sumCents",
       width_bucket(first, begun) AS "firstRound", width_bucket(last, begun) AS "lastRound"
     FROM (SELECT coalesce(jsonb_agg(to_jsonb(sums)), '[]') AS sums FROM sums) AS whole
       CROSS JOIN rounds LEFT JOIN page ON true
     ORDER BY last ${direction}, account ${direction}`,
    [...lineParameters(query, period), period.dayStarts, query.eachPurchaseOf, skip, take],
  );
  const sums = rows[0]?.sums ?? [];
  return {
    groups: rows.flatMap(({ sums: _sums, ...group }) => (group.lastRevision === null ? [] : [group])),
    sums,
    total: sums.reduce((total, { groups }) => total + groups, 0),
  };
}

/** A group with the sums of all. A page without groups has one row with the sums, whose other columns are null. */
type GroupRow = (JournalGroup | { lastRevision: null }) & { sums: (JournalSum & { groups: number })[] };

/** By the withdrawals, because a payout moves no money of the gamer's accounts. The period's `lastRevision` does not count. */
export async function payoutTotalsOf(
  tables: EntityManager,
  gamerId: GamerId,
  { dayStarts, endMs }: Period,
): Promise<{ withdrawnCents: Cents; reservedCents: Cents }> {
  const [row] = await tables.query<{ withdrawn: string; reserved: string }[]>(
    `SELECT
       coalesce(sum(amount_cents) FILTER (WHERE status = 'completed' AND settled_at_ms >= $2 AND settled_at_ms < $3), 0) AS withdrawn,
       coalesce(sum(amount_cents) FILTER (WHERE created_at_ms < $3 AND (settled_at_ms IS NULL OR settled_at_ms >= $3)), 0) AS reserved
     FROM read.withdrawals WHERE gamer_id = $1`,
    [gamerId, dayStarts[0], endMs ?? Number.MAX_SAFE_INTEGER],
  );
  return { withdrawnCents: Number(row?.withdrawn ?? 0), reservedCents: Number(row?.reserved ?? 0) };
}

/** A token invoice is money paid in and spent, as in the gamer's limits (decision 56); the net position counts jackpots only. */
export function playTotals(sums: readonly JournalSum[]): Omit<PlayTotals, 'withdrawnCents'> {
  const total = (belongs: (sum: JournalSum) => boolean): Cents => sumWhere(sums, belongs);
  const ofType = (...types: JournalSum['type'][]) => total(({ type }) => types.includes(type));
  const isWinnings = ({ account }: JournalSum): boolean => account.endsWith(':winnings');
  const byInvoiceCents = -total(({ account }) => account === INVOICE_ACCOUNT);
  const spentCents = -total((sum) => sum.type === null && !isWinnings(sum));
  const wonCents = ofType('RoundEnded');
  return {
    paidInCents: ofType('DepositApproved', 'InvoiceCredited') + byInvoiceCents,
    spentCents,
    wonCents,
    netCents: wonCents - spentCents,
    matrixCents: total((sum) => sum.type === null && isWinnings(sum)),
    transferredCents: total((sum) => !isWinnings(sum) && sum.type === 'WinningsTransferred'),
    releasedCents: total((sum) => isWinnings(sum) && sum.type === 'BalanceReleased'),
    adjustedCents: ofType('BalanceAdjusted'),
  };
}

export const sumWhere = (sums: readonly JournalSum[], belongs: (sum: JournalSum) => boolean): Cents =>
  sums.reduce((cents, sum) => (belongs(sum) ? cents + sum.cents : cents), 0);
