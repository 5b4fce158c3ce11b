import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { LedgerEventType } from '../../../contracts/events/ledger-events.js';
import type {
  AuditGamer,
  StatementAccount,
  StatementLine,
  StatementResponse,
  TrialBalanceAccount,
} from '../../../contracts/http/audit.js';
import type { GamerId } from '../../../contracts/ids.js';
import { type LedgerAccount, purchaseAccount, winningsAccount } from '../../../contracts/ledger-accounts.js';
import { MAX_STATEMENT_DAYS, MAX_STATEMENT_LINES, STATEMENT_DAYS } from '../../../contracts/limits.js';
import type { Cents } from '../../../contracts/money.js';
import {
  countDays,
  dayAfter,
  dayInNewYork,
  daysUntil,
  isNewYorkDay,
  type NewYorkDay,
  startOfNewYorkDay,
} from '../../../contracts/new-york.js';
import type { TrialBalance } from '../../../domain/trial-balance.js';
import { GamerNames } from '../accounts/gamer-names.queries.js';
import { Clock } from '../platform/clock.js';
import { Refused } from '../platform/failures.js';
import type { StatementQuery } from './audit.dto.js';
import { describeChange, describePurchases, gamersIn } from './descriptions/event-descriptions.js';
import { EventSearchQueries } from './event-search.queries.js';
import { RawEvents } from './raw-events.js';

/** Postgres' error code for a query that exceeded its time limit. */
const CANCELLED = '57014';

interface Period {
  /** The start of each day, in order. */
  dayStarts: number[];
  /** The end of the last day; null if that day is not over. */
  endMs: number | null;
}

/** One change, or the purchases of a day between two other changes. */
interface JournalGroup {
  /** Null for purchases. */
  type: LedgerEventType | null;
  lastRevision: number;
  lastAtMs: number;
  firstRound: number;
  lastRound: number;
  events: number;
  cents: Cents;
}

interface JournalExtract {
  openingCents: Cents;
  groups: JournalGroup[];
  /** The balance in the read model `balances`. */
  servedCents: Cents;
}

/** An account's statement: its balance at the start, every change, and its balance at the end. */
@Injectable()
export class Statements {
  constructor(
    private readonly database: DataSource,
    private readonly search: EventSearchQueries,
    private readonly raw: RawEvents,
    private readonly names: GamerNames,
    private readonly clock: Clock,
  ) {}

  async of(request: StatementQuery): Promise<StatementResponse> {
    const today = dayInNewYork(this.clock.now());
    const days = daysOf(request, today);
    const [from, to] = [days[0] as NewYorkDay, days.at(-1) as NewYorkDay];
    const gamer = await this.gamerOf(request);
    const isOver = to < today;
    const { openingCents, groups, servedCents } = await this.extract(ledgerAccount(request.account, gamer), {
      dayStarts: days.map(startOfNewYorkDay),
      endMs: isOver ? startOfNewYorkDay(dayAfter(to)) : null,
    });
    const lines = linesOf(openingCents, groups, await this.textsOf(request.account, groups));
    return {
      account: request.account,
      gamer,
      from,
      to,
      openingCents,
      lines,
      closingCents: lines.at(-1)?.balanceCents ?? openingCents,
      servedCents: isOver ? null : servedCents,
    };
  }

  /** Reads the account's journal and balance in one database snapshot. Throws Refused when the statement would be too long. */
  private async extract(account: LedgerAccount, period: Period): Promise<JournalExtract> {
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

  private async gamerOf({ account, gamer }: StatementQuery): Promise<AuditGamer | null> {
    if (!isGamers(account)) return null;
    if (gamer === undefined) throw new Refused('statement-needs-gamer');
    const [id] = await this.search.gamersByTagOrId(gamer);
    if (id === undefined) throw new Refused('gamer-not-found');
    return { id, gamerTag: (await this.names.of([id]))(id) };
  }

  /** Each group's text, in order. Purchases need no read of the log. */
  private async textsOf(account: StatementAccount, groups: readonly JournalGroup[]): Promise<string[]> {
    const changes = await this.raw.at(groups.filter(({ type }) => type !== null).map((group) => group.lastRevision));
    const nameOf = await this.names.of(changes.flatMap(gamersIn));
    const texts = new Map(changes.map((one) => [one.revision, describeChange(account, one.event, nameOf)]));
    return groups.map(
      ({ lastRevision, firstRound, lastRound }) =>
        texts.get(lastRevision) ?? describePurchases(account, firstRound, lastRound),
    );
  }
}

const isGamers = (account: StatementAccount): account is 'winnings' | 'purchase' =>
  account === 'winnings' || account === 'purchase';

function ledgerAccount(account: StatementAccount, gamer: { id: GamerId } | null): LedgerAccount {
  if (!isGamers(account)) return account;
  const { id } = gamer as { id: GamerId };
  return account === 'winnings' ? winningsAccount(id) : purchaseAccount(id);
}

/** The days of the statement, in order; the last thirty by default. */
function daysOf({ from, to }: StatementQuery, today: NewYorkDay): NewYorkDay[] {
  for (const day of [from, to]) {
    if (day !== undefined && !isNewYorkDay(day)) throw new Refused('invalid-statement-days');
  }
  const last = to ?? today;
  const count = from === undefined ? STATEMENT_DAYS : countDays(from, last);
  if (count < 1 || count > MAX_STATEMENT_DAYS) throw new Refused('invalid-statement-days');
  return daysUntil(last, count);
}

function linesOf(openingCents: number, groups: readonly JournalGroup[], texts: readonly string[]): StatementLine[] {
  let balanceCents = openingCents;
  return groups.map(({ lastRevision, lastAtMs, events, cents }, i) => {
    balanceCents += cents;
    return { number: lastRevision + 1, atEpochMs: lastAtMs, events, what: texts[i] as string, cents, balanceCents };
  });
}

/**
 * The account's balance at the start of the day. A saved trial balance has it for all but the gamers' accounts, so only a
 * few postings need adding up. The journal has no index by time, so the saved trial balances bound the revisions to read.
 */
async function openingOf(tables: EntityManager, account: LedgerAccount, startMs: number): Promise<Cents> {
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

/** The period's changes. Rounds are numbered from 1, so the round of a revision is the number of rounds started up to it. */
async function groupsOf(tables: EntityManager, account: LedgerAccount, period: Period): Promise<JournalGroup[]> {
  const { dayStarts, endMs } = period;
  const rows = await tables.query<Record<keyof JournalGroup, string | null>[]>(
    `WITH lines AS (
       SELECT one.revision, one.cents, one.at_ms, typed.type,
         count(typed.revision) OVER (ORDER BY one.revision) AS changes_so_far,
         CASE WHEN typed.revision IS NULL THEN width_bucket(one.at_ms, $3::bigint[]) END AS day
       FROM read.journal AS one LEFT JOIN read.ledger_events_by_type AS typed ON typed.revision = one.revision
       WHERE one.account = $1 AND one.at_ms >= $2 AND one.at_ms < $4
         AND one.revision >= (SELECT coalesce(max(revision), 0) FROM read.ledger_trial_balances WHERE at_ms < $2)
         AND one.revision <= ${firstSavedRevisionFrom('$4')}
     ),
     groups AS (
       SELECT type, min(revision) AS first, max(revision) AS last, max(at_ms) AS at_ms, count(*) AS events, sum(cents) AS cents
       FROM lines GROUP BY type, changes_so_far, day ORDER BY last LIMIT $5
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
