import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { LedgerEventType } from '../../../contracts/events/ledger-events.js';
import type { BookAccount } from '../../../contracts/http/audit.js';
import type { LedgerAccount } from '../../../contracts/ledger-accounts.js';
import { MAX_STATEMENT_LINES } from '../../../contracts/limits.js';
import type { Cents } from '../../../contracts/money.js';
import type { Books } from '../../../domain/books.js';
import { Refused } from '../http/refused.js';

/** What Postgres says of a statement that took longer than any may. */
const CANCELLED = '57014';

export interface Period {
  /** When each of the days begins, in order. */
  dayStarts: number[];
  /** When the last of them ends; null: it has not. */
  endMs: number | null;
}

/** One change, or the purchases of a day between two other changes. */
export interface JournalGroup {
  /** Null: purchases. */
  type: LedgerEventType | null;
  lastRevision: number;
  lastAtMs: number;
  firstRound: number;
  lastRound: number;
  events: number;
  cents: Cents;
}

export interface JournalExtract {
  openingCents: Cents;
  groups: JournalGroup[];
  /** By the table that is served. */
  servedCents: Cents;
}

/** An account's journal, in one snapshot with what is served of it. */
@Injectable()
export class StatementsQueries {
  constructor(private readonly database: DataSource) {}

  /** Refuses when there is more than a statement holds. */
  async extract(account: LedgerAccount, period: Period): Promise<JournalExtract> {
    try {
      return await this.database.transaction('REPEATABLE READ', async (tables) => ({
        openingCents: await openingOf(tables, account, period.dayStarts[0] as number),
        groups: await groupsOf(tables, account, period),
        servedCents: await servedOf(tables, account),
      }));
    } catch (error) {
      if ((error as { code?: string }).code === CANCELLED) throw new Refused('statement-too-long');
      throw error;
    }
  }
}

/**
 * What the account held when the day began: the books tell it of all but the gamers, so that a handful of lines is to be
 * added up, however long the ledger is. The journal's key is by revision: the books say which those of a time are.
 */
async function openingOf(tables: EntityManager, account: LedgerAccount, startMs: number): Promise<Cents> {
  const [before] = await tables.query<{ revision: string; books: Books }[]>(
    'SELECT revision, books FROM read.ledger_books WHERE at_ms < $1 ORDER BY revision DESC LIMIT 1',
    [startMs],
  );
  if (!before) return 0;
  const isInBooks = account in before.books.accounts;
  const [sum] = await tables.query<{ cents: string | null }[]>(
    `SELECT sum(cents) AS cents FROM read.journal
     WHERE account = $1 AND at_ms < $2 AND revision BETWEEN $3 AND ${firstBooksFrom('$2')}`,
    [account, startMs, isInBooks ? Number(before.revision) + 1 : 0],
  );
  return (isInBooks ? before.books.accounts[account as BookAccount] : 0) + Number(sum?.cents ?? 0);
}

/** The first event of a time or later comes no later in the ledger than this. */
const firstBooksFrom = (time: string): string =>
  `(SELECT coalesce(min(revision) FILTER (WHERE at_ms >= ${time}), max(revision)) FROM read.ledger_books)`;

/** Rounds are numbered from 1 in the order they were started: how many had begun is which one it was. */
async function groupsOf(tables: EntityManager, account: LedgerAccount, period: Period): Promise<JournalGroup[]> {
  const { dayStarts, endMs } = period;
  const rows = await tables.query<Record<keyof JournalGroup, string | null>[]>(
    `WITH lines AS (
       SELECT one.revision, one.cents, one.at_ms, rare.type,
         count(rare.revision) OVER (ORDER BY one.revision) AS rare_so_far,
         CASE WHEN rare.revision IS NULL THEN width_bucket(one.at_ms, $3::bigint[]) END AS day
       FROM read.journal AS one LEFT JOIN read.ledger_rare AS rare ON rare.revision = one.revision
       WHERE one.account = $1 AND one.at_ms >= $2 AND one.at_ms < $4
         AND one.revision >= (SELECT coalesce(max(revision), 0) FROM read.ledger_books WHERE at_ms < $2)
         AND one.revision <= ${firstBooksFrom('$4')}
     ),
     groups AS (
       SELECT type, min(revision) AS first, max(revision) AS last, max(at_ms) AS at_ms, count(*) AS events, sum(cents) AS cents
       FROM lines GROUP BY type, rare_so_far, day ORDER BY last LIMIT $5
     ),
     rounds AS (SELECT coalesce(array_agg(first_revision ORDER BY round_id), '{}') AS begun FROM read.ledger_rounds)
     SELECT type, last AS "lastRevision", at_ms AS "lastAtMs", events, cents,
       width_bucket(first, begun) AS "firstRound", width_bucket(last, begun) AS "lastRound"
     FROM groups, rounds ORDER BY last`,
    [account, dayStarts[0], dayStarts, endMs ?? Number.MAX_SAFE_INTEGER, MAX_STATEMENT_LINES + 1],
  );
  if (rows.length > MAX_STATEMENT_LINES) throw new Refused('statement-too-long');
  return rows.map(({ type, ...figures }) => ({ type: type as JournalGroup['type'], ...numbers(figures) }));
}

const numbers = <T extends object>(figures: T) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value)])) as Record<keyof T, number>;

async function servedOf(tables: EntityManager, account: LedgerAccount): Promise<Cents> {
  const [row] = await tables.query<{ cents: string }[]>('SELECT cents FROM read.balances WHERE account = $1', [
    account,
  ]);
  return Number(row?.cents ?? 0);
}
