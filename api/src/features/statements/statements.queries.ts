import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type * as http from '../../../../contracts/http/statements.js';
import type { GamerId, NamedGamer } from '../../../../contracts/ids.js';
import { type LedgerAccount, purchaseAccount, winningsAccount } from '../../../../contracts/ledger-accounts.js';
import * as limits from '../../../../contracts/limits.js';
import type { Cents } from '../../../../contracts/money.js';
import {
  countDays,
  dayAfter,
  dayInNewYork,
  daysUntil,
  isNewYorkDay,
  type NewYorkDay,
  startOfNewYorkDay,
} from '../../../../contracts/new-york.js';
import { BalanceRow } from '../../../../projections/src/views/tables.entity.js';
import { skipTakeOf } from '../../http/page.js';
import { Clock } from '../../platform/clock.js';
import { Refused } from '../../platform/failures.js';
import { PersonalTexts } from '../../platform/personal-texts/personal-texts.js';
import type { MovementsQuery, StatementQuery } from '../audit/audit.dto.js';
import { describeChange, describePurchases, gamersIn } from '../audit/descriptions/event-descriptions.js';
import { LedgerIndexQueries } from '../audit/ledger-index.queries.js';
import { PurchaseOutcomes } from '../audit/purchase-outcomes.queries.js';
import { RawEvents } from '../audit/raw-events.js';
import { GamerNames } from '../gamers/gamers.queries.js';
import {
  groupsOf,
  INVOICE_ACCOUNT,
  type JournalGroup,
  type JournalQuery,
  type JournalSum,
  openingBalanceOf,
  type Period,
  sumsOf,
} from './journal.queries.js';

/**
 * A gamer's payouts of the period, and what is reserved for open ones at its end. Read from the withdrawals, because a
 * payout moves no money of the gamer's accounts: the request did. The period's `lastRevision` does not count.
 */
export async function payoutTotalsOf(
  tables: EntityManager,
  gamerId: GamerId,
  { dayStarts, endMs }: Period,
): Promise<{ withdrawnCents: Cents; reservedCents: Cents }> {
  const [row] = await tables.query<{ withdrawn: string; reserved: string }[]>(
    `SELECT
       coalesce(sum(amount_cents) FILTER (WHERE status = 'completed' AND processed_at_ms >= $2 AND processed_at_ms < $3), 0) AS withdrawn,
       coalesce(sum(amount_cents) FILTER (WHERE created_at_ms < $3 AND (processed_at_ms IS NULL OR processed_at_ms >= $3)), 0) AS reserved
     FROM read.withdrawals WHERE gamer_id = $1`,
    [gamerId, dayStarts[0], endMs ?? Number.MAX_SAFE_INTEGER],
  );
  return { withdrawnCents: Number(row?.withdrawn ?? 0), reservedCents: Number(row?.reserved ?? 0) };
}

/**
 * Sums up a gamer's movements. A token invoice is money paid in and spent, as in the gamer's limits (decision 56), and
 * the net position counts the jackpots only, as the limit of the net loss does.
 */
export function playTotals(sums: readonly JournalSum[]): Omit<http.PlayTotals, 'withdrawnCents'> {
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

/** Postgres' error code for a query that exceeded its time limit. */
const CANCELLED = '57014';

/** An account's statement: its balance at the start, every change, and its balance at the end. */
@Injectable()
export class Statements {
  constructor(
    private readonly database: DataSource,
    private readonly index: LedgerIndexQueries,
    private readonly raw: RawEvents,
    private readonly outcomes: PurchaseOutcomes,
    private readonly names: GamerNames,
    private readonly clock: Clock,
    private readonly texts: PersonalTexts,
  ) {}

  async of(request: StatementQuery): Promise<http.StatementResponse> {
    const today = dayInNewYork(this.clock.now());
    const days = daysOf(request, today);
    const gamer = await this.gamerOf(request);
    const account = ledgerAccount(request.account, gamer);
    const of: JournalQuery = { accounts: [account], invoicesOf: null, eachPurchaseOf: [] };
    const { openings, groups, sums, total, servedCents } = await this.inOneSnapshot(async (tables) => ({
      openings: await openingsOf(tables, [account], days),
      ...(await groupsOf(tables, of, periodOf(days, today), {
        order: 'oldest-first',
        skip: 0,
        take: limits.MAX_STATEMENT_LINES,
      })),
      servedCents: (await tables.findOneBy(BalanceRow, { account }))?.cents ?? 0,
    }));
    if (total > limits.MAX_STATEMENT_LINES) throw new Refused('statement-too-long');
    const openingCents = openings.get(account) ?? 0;
    const texts = await this.textsOf(groups);
    return {
      account: request.account,
      gamer,
      ...ends(days),
      openingCents,
      lines: groups.map((group) => ({ ...lineOf(group, texts), balanceCents: openingCents + group.sumCents })),
      closingCents: openingCents + sumWhere(sums, (sum) => sum.account === account),
      servedCents: ends(days).to < today ? null : servedCents,
    };
  }

  /** A page of the movements of the gamer's money, newest first, with the sums of all pages. Every purchase is one. */
  async movements(gamerId: GamerId, { from, to, asOf, ...page }: MovementsQuery): Promise<http.MovementsResponse> {
    const today = dayInNewYork(this.clock.now());
    const first = from === undefined ? await this.index.oldest() : null;
    const days = daysOf(
      { from: from ?? (first ? dayInNewYork(first.atMs) : today), to },
      today,
      limits.MAX_MOVEMENTS_DAYS,
    );
    const lastNumber = asOf ?? (await this.index.lastNumber());
    const accounts = accountsOf(gamerId);
    const period = { ...periodOf(days, today), lastRevision: lastNumber - 1 };
    const { openings, groups, sums, total, payouts } = await this.inOneSnapshot(async (tables) => ({
      payouts: await payoutTotalsOf(tables, gamerId, period),
      openings: await openingsOf(tables, [accounts.winnings, accounts.purchase], days),
      ...(await groupsOf(tables, playOf(gamerId), period, { order: 'newest-first', ...skipTakeOf(page) })),
    }));
    const texts = await this.textsOf(groups);
    const isPurchase = ({ type, account }: JournalGroup) => type === null && account !== accounts.winnings;
    const bought = page.pageSize > limits.LIST_PAGE_SIZE ? [] : groups.filter(isPurchase);
    const outcomes = await this.outcomes.of(bought.map(({ lastRevision }) => lastRevision));
    const balanceOf = (account: LedgerAccount) => {
      const openingCents = openings.get(account) ?? 0;
      return { openingCents, closingCents: openingCents + sumWhere(sums, (sum) => sum.account === account) };
    };
    return {
      ...ends(days),
      asOf: lastNumber,
      balances: { winnings: balanceOf(accounts.winnings), purchase: balanceOf(accounts.purchase) },
      reservedCents: payouts.reservedCents,
      totals: { ...playTotals(sums), withdrawnCents: payouts.withdrawnCents },
      movements: groups.map((group) => ({
        ...lineOf(group, texts),
        account: group.account === INVOICE_ACCOUNT ? 'invoice' : shortName(group.account),
        roundId: isOfOneRound(group) ? group.lastRound : null,
        balanceCents: group.account === INVOICE_ACCOUNT ? null : (openings.get(group.account) ?? 0) + group.sumCents,
        outcome: (isPurchase(group) && outcomes.get(group.lastRevision)) || null,
      })),
      total,
    };
  }

  async totalsSince(gamerId: GamerId, sinceMs: number): Promise<ReturnType<typeof playTotals>> {
    const period = { dayStarts: [sinceMs], endMs: null, lastRevision: null };
    return playTotals(await sumsOf(this.database.manager, playOf(gamerId), period));
  }

  private async inOneSnapshot<T>(read: (tables: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction('REPEATABLE READ', read);
    } catch (error) {
      if ((error as { code?: string }).code === CANCELLED) throw new Refused('statement-too-long');
      throw error;
    }
  }

  private async gamerOf({ account, gamer }: StatementQuery): Promise<NamedGamer | null> {
    if (!isGamers(account)) return null;
    if (gamer === undefined) throw new Refused('statement-needs-gamer');
    const [id] = await this.index.gamersByTagOrId(gamer);
    if (id === undefined) throw new Refused('gamer-not-found');
    return { id, gamerTag: (await this.names.of([id]))(id) };
  }

  /** The text of each group. Purchases need no read of the log. */
  private async textsOf(groups: readonly JournalGroup[]) {
    const revisions = groups.filter(({ type }) => type !== null).map(({ lastRevision }) => lastRevision);
    const changes = await this.texts.decrypt(await this.raw.atRevisions(revisions));
    const nameOf = await this.names.of(changes.flatMap(gamersIn));
    const events = new Map(changes.map((change) => [change.revision, change]));
    return ({ account, lastRevision, firstRound, lastRound }: JournalGroup): string => {
      const event = events.get(lastRevision);
      return event
        ? describeChange(shortName(account), event, nameOf)
        : describePurchases(shortName(account), firstRound, lastRound);
    };
  }
}

const lineOf = (group: JournalGroup, textOf: (group: JournalGroup) => string) => ({
  number: group.lastRevision + 1,
  atMs: group.lastAtMs,
  eventCount: group.eventCount,
  description: textOf(group),
  cents: group.cents,
});

const isGamers = (account: http.StatementAccount): account is http.GamerAccount =>
  account === 'winnings' || account === 'purchase';

const accountsOf = (gamerId: GamerId): Record<http.GamerAccount, LedgerAccount> => ({
  winnings: winningsAccount(gamerId),
  purchase: purchaseAccount(gamerId),
});

const ledgerAccount = (account: http.StatementAccount, gamer: NamedGamer | null): LedgerAccount =>
  isGamers(account) ? accountsOf((gamer as NamedGamer).id)[account] : account;

/** The account's name in statements, where a gamer's account goes without the gamer. */
const shortName = <Account extends http.StatementAccount>(account: LedgerAccount): Account =>
  account.replace(/^gamer:.*:/, '') as Account;

function playOf(gamerId: GamerId): JournalQuery {
  const { winnings, purchase } = accountsOf(gamerId);
  return { accounts: [winnings, purchase], invoicesOf: gamerId, eachPurchaseOf: [purchase] };
}

const sumWhere = (sums: readonly JournalSum[], belongs: (sum: JournalSum) => boolean): Cents =>
  sums.reduce((cents, sum) => (belongs(sum) ? cents + sum.cents : cents), 0);

const isOfOneRound = ({ type, firstRound, lastRound }: JournalGroup): boolean =>
  (type === null || type === 'RoundEnded') && firstRound === lastRound;

async function openingsOf(tables: EntityManager, accounts: readonly LedgerAccount[], [first]: readonly NewYorkDay[]) {
  const openings = new Map<LedgerAccount, Cents>();
  const startMs = startOfNewYorkDay(first as NewYorkDay);
  for (const account of accounts) openings.set(account, await openingBalanceOf(tables, account, startMs));
  return openings;
}

/** The days of the statement, in order; the last thirty by default. */
export function daysOf(
  { from, to }: Pick<StatementQuery, 'from' | 'to'>,
  today: NewYorkDay,
  maximum = limits.MAX_STATEMENT_DAYS,
): NewYorkDay[] {
  for (const day of [from, to]) {
    if (day !== undefined && !isNewYorkDay(day)) throw new Refused('invalid-statement-days');
  }
  const last = to ?? today;
  const count = from === undefined ? limits.STATEMENT_DAYS : countDays(from, last);
  if (count < 1 || count > maximum) throw new Refused('invalid-statement-days');
  return daysUntil(last, count);
}

const ends = (days: readonly NewYorkDay[]) => ({ from: days[0] as NewYorkDay, to: days.at(-1) as NewYorkDay });

const periodOf = (days: readonly NewYorkDay[], today: NewYorkDay): Period => {
  const { to } = ends(days);
  const endMs = to < today ? startOfNewYorkDay(dayAfter(to)) : null;
  return { dayStarts: days.map(startOfNewYorkDay), endMs, lastRevision: null };
};
