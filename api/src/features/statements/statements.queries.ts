import { Injectable } from '@nestjs/common';
import { IsIn, IsNotEmpty } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import * as http from '../../../../contracts/http/statements.js';
import type { GamerId, NamedGamer } from '../../../../contracts/ids.js';
import { type LedgerAccount, purchaseAccount, winningsAccount } from '../../../../contracts/ledger-accounts.js';
import * as limits from '../../../../contracts/limits.js';
import * as calendar from '../../../../contracts/new-york.js';
import { BalanceRow } from '../../../../projections/src/views/tables.entity.js';
import { Page, skipTakeOf } from '../../http/page.js';
import { optionalNumber, optionalQuery } from '../../http/validation.js';
import { Clock } from '../../platform/clock.js';
import { Refused } from '../../platform/failures.js';
import { PersonalTexts } from '../../platform/personal-texts.store.js';
import { describePurchases, describeStatementLine, gamersIn } from '../audit/descriptions/event-descriptions.js';
import { LedgerIndexQueries, PurchaseOutcomes, RawEvents } from '../audit/ledger-index.queries.js';
import { GamerTags } from '../gamers/gamers.queries.js';
import * as journal from './journal.queries.js';

const gamerMessage = 'gamer must be a GamerTag or the id of a gamer';

const optionalDay = optionalQuery(10, 'from and to must be days, such as 2025-10-14');

export class StatementQuery {
  @IsIn(http.STATEMENT_ACCOUNTS, { message: `account must be one of ${http.STATEMENT_ACCOUNTS.join(', ')}` })
  account!: http.StatementAccount;

  /** Tag or id. */
  @optionalQuery(limits.QUERY_MAX_LENGTH, gamerMessage)
  @IsNotEmpty({ message: gamerMessage })
  gamer?: string;

  @optionalDay from?: calendar.NewYorkDay;
  @optionalDay to?: calendar.NewYorkDay;
}

export class MovementsQuery extends Page {
  /** Default: the day of the ledger's first event. */
  @optionalDay from?: calendar.NewYorkDay;
  @optionalDay to?: calendar.NewYorkDay;

  /** The number of the last event that counts, which makes pages fit together; default: the newest. */
  @optionalNumber(Number.MAX_SAFE_INTEGER, 'asOf must be the number of an event') asOf?: number;

  /** A file of the whole statement is made from large pages. */
  @optionalNumber(limits.MAX_STATEMENT_LINES, `pageSize must be a whole number from 1 to ${limits.MAX_STATEMENT_LINES}`)
  override pageSize: number = limits.LIST_PAGE_SIZE;
}

/** Postgres' error code for a query that exceeded its time limit. */
const CANCELLED = '57014';

@Injectable()
export class Statements {
  constructor(
    private readonly database: DataSource,
    private readonly index: LedgerIndexQueries,
    private readonly raw: RawEvents,
    private readonly outcomes: PurchaseOutcomes,
    private readonly tags: GamerTags,
    private readonly clock: Clock,
    private readonly texts: PersonalTexts,
  ) {}

  async of(request: StatementQuery): Promise<http.StatementResponse> {
    const today = calendar.dayInNewYork(this.clock.now());
    const days = daysOf(request, today);
    const gamer = await this.gamerOf(request);
    const account = ledgerAccount(request.account, gamer);
    const of: journal.JournalQuery = { accounts: [account], invoicesOf: null, eachPurchaseOf: [] };
    const { openingCents, groups, sums, total, servedCents } = await this.inOneSnapshot(async (tables) => ({
      openingCents: await openingOf(tables, account, days),
      ...(await journal.groupsOf(tables, of, periodOf(days, today), {
        order: 'oldest-first',
        skip: 0,
        take: limits.MAX_STATEMENT_LINES,
      })),
      servedCents: (await tables.findOneBy(BalanceRow, { account }))?.cents ?? 0,
    }));
    if (total > limits.MAX_STATEMENT_LINES) throw new Refused('statement-too-long');
    const texts = await this.textsOf(groups);
    return {
      account: request.account,
      gamer,
      ...ends(days),
      openingCents,
      lines: groups.map((group) => ({ ...lineOf(group, texts), balanceCents: openingCents + group.sumCents })),
      closingCents: openingCents + journal.sumWhere(sums, (sum) => sum.account === account),
      servedCents: ends(days).to < today ? null : servedCents,
    };
  }

  /** A page of the movements of the gamer's money, newest first, with the sums of all pages. Every purchase is one. */
  async movements(gamerId: GamerId, { from, to, asOf, ...page }: MovementsQuery): Promise<http.MovementsResponse> {
    const today = calendar.dayInNewYork(this.clock.now());
    const first = from === undefined ? await this.index.oldest() : null;
    const days = daysOf(
      { from: from ?? (first ? calendar.dayInNewYork(first.atMs) : today), to },
      today,
      limits.MAX_MOVEMENTS_DAYS,
    );
    const lastNumber = asOf ?? (await this.index.lastNumber());
    const accounts = accountsOf(gamerId);
    const period = { ...periodOf(days, today), lastRevision: lastNumber - 1 };
    const { opening, groups, sums, total, payouts } = await this.inOneSnapshot(async (tables) => ({
      payouts: await journal.payoutTotalsOf(tables, gamerId, period),
      opening: {
        winnings: await openingOf(tables, accounts.winnings, days),
        purchase: await openingOf(tables, accounts.purchase, days),
      },
      ...(await journal.groupsOf(tables, playOf(gamerId), period, { order: 'newest-first', ...skipTakeOf(page) })),
    }));
    const texts = await this.textsOf(groups);
    const isPurchase = ({ type, account }: journal.JournalGroup) => type === null && account !== accounts.winnings;
    const bought = page.pageSize > limits.LIST_PAGE_SIZE ? [] : groups.filter(isPurchase);
    const outcomes = await this.outcomes.of(bought.map(({ lastRevision }) => lastRevision));
    const balanceOf = (account: http.GamerAccount) => {
      const changeCents = journal.sumWhere(sums, (sum) => sum.account === accounts[account]);
      return { openingCents: opening[account], closingCents: opening[account] + changeCents };
    };
    return {
      ...ends(days),
      asOf: lastNumber,
      balances: { winnings: balanceOf('winnings'), purchase: balanceOf('purchase') },
      reservedCents: payouts.reservedCents,
      totals: { ...journal.playTotals(sums), withdrawnCents: payouts.withdrawnCents },
      movements: groups.map((group) => {
        const account =
          group.account === journal.INVOICE_ACCOUNT ? 'invoice' : shortName<http.GamerAccount>(group.account);
        return {
          ...lineOf(group, texts),
          account,
          roundId: isOfOneRound(group) ? group.lastRound : null,
          balanceCents: account === 'invoice' ? null : opening[account] + group.sumCents,
          outcome: (isPurchase(group) && outcomes.get(group.lastRevision)) || null,
        };
      }),
      total,
    };
  }

  async totalsSince(gamerId: GamerId, sinceMs: number): Promise<ReturnType<typeof journal.playTotals>> {
    const period = { dayStarts: [sinceMs], endMs: null, lastRevision: null };
    return journal.playTotals(await journal.sumsOf(this.database.manager, playOf(gamerId), period));
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
    return { id, gamerTag: (await this.tags.of([id]))(id) };
  }

  /** The text of each group. Purchases need no read of the log. */
  private async textsOf(groups: readonly journal.JournalGroup[]) {
    const revisions = groups.filter(({ type }) => type !== null).map(({ lastRevision }) => lastRevision);
    const changes = await this.texts.decrypt(await this.raw.atRevisions(revisions));
    const tagOf = await this.tags.of(changes.flatMap(gamersIn));
    const events = new Map(changes.map((change) => [change.revision, change]));
    return ({ account, lastRevision, firstRound, lastRound }: journal.JournalGroup): string => {
      const event = events.get(lastRevision);
      return event
        ? describeStatementLine(shortName(account), event, tagOf)
        : describePurchases(shortName(account), firstRound, lastRound);
    };
  }
}

const lineOf = (group: journal.JournalGroup, textOf: (group: journal.JournalGroup) => string) => ({
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

function playOf(gamerId: GamerId): journal.JournalQuery {
  const { winnings, purchase } = accountsOf(gamerId);
  return { accounts: [winnings, purchase], invoicesOf: gamerId, eachPurchaseOf: [purchase] };
}

const isOfOneRound = ({ type, firstRound, lastRound }: journal.JournalGroup): boolean =>
  (type === null || type === 'RoundEnded') && firstRound === lastRound;

const openingOf = (tables: EntityManager, account: LedgerAccount, days: readonly calendar.NewYorkDay[]) =>
  journal.openingBalanceOf(tables, account, calendar.startOfNewYorkDay(ends(days).from));

/** The days of the statement, in order; the last thirty by default. */
function daysOf(
  { from, to }: Pick<StatementQuery, 'from' | 'to'>,
  today: calendar.NewYorkDay,
  maximum = limits.MAX_STATEMENT_DAYS,
): calendar.NewYorkDay[] {
  for (const day of [from, to]) {
    if (day !== undefined && !calendar.isNewYorkDay(day)) throw new Refused('invalid-statement-days');
  }
  const last = to ?? today;
  const count = from === undefined ? limits.DEFAULT_STATEMENT_DAYS : calendar.countDays(from, last);
  if (count < 1 || count > maximum) throw new Refused('invalid-statement-days');
  return calendar.daysUntil(last, count);
}

const ends = (days: readonly calendar.NewYorkDay[]) => ({
  from: days[0] as calendar.NewYorkDay,
  to: days.at(-1) as calendar.NewYorkDay,
});

const periodOf = (days: readonly calendar.NewYorkDay[], today: calendar.NewYorkDay): journal.Period => {
  const { to } = ends(days);
  const endMs = to < today ? calendar.startOfNewYorkDay(calendar.dayAfter(to)) : null;
  return { dayStarts: days.map(calendar.startOfNewYorkDay), endMs, lastRevision: null };
};
