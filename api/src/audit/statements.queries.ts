import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type {
  AuditGamer,
  MovementsResponse,
  StatementAccount,
  StatementLine,
  StatementResponse,
} from '../../../contracts/http/audit.js';
import type { GamerId } from '../../../contracts/ids.js';
import { type LedgerAccount, purchaseAccount, winningsAccount } from '../../../contracts/ledger-accounts.js';
import {
  MAX_MOVEMENTS_DAYS,
  MAX_STATEMENT_DAYS,
  MAX_STATEMENT_LINES,
  STATEMENT_DAYS,
} from '../../../contracts/limits.js';
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
import { TrialBalanceRow } from '../../../projections/src/views/tables.entity.js';
import { GamerNames } from '../accounts/gamer-names.queries.js';
import { rowsOf } from '../http/page.js';
import { PersonalTexts } from '../personal-texts/personal-texts.js';
import { Clock } from '../platform/clock.js';
import { Refused } from '../platform/failures.js';
import type { MovementsQuery, StatementQuery } from './audit.dto.js';
import { describeChange, describePurchases, gamersIn } from './descriptions/event-descriptions.js';
import { EventSearchQueries } from './event-search.queries.js';
import { type GroupsPage, groupsOf, openingOf, type Period, servedOf } from './journal.queries.js';
import { RawEvents } from './raw-events.js';

type Days = Pick<StatementQuery, 'from' | 'to'>;

/** Postgres' error code for a query that exceeded its time limit. */
const CANCELLED = '57014';

interface JournalExtract extends Awaited<ReturnType<typeof groupsOf>> {
  openingCents: Cents;
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
    private readonly texts: PersonalTexts,
  ) {}

  async of(request: StatementQuery): Promise<StatementResponse> {
    const today = dayInNewYork(this.clock.now());
    const days = daysOf(request, today);
    const gamer = await this.gamerOf(request);
    const extract = await this.extract(ledgerAccount(request.account, gamer), periodOf(days, today), {
      ...{ order: 'oldest-first', skip: 0, take: MAX_STATEMENT_LINES, eachPurchase: false },
    });
    const { openingCents, totalCents, total, servedCents } = extract;
    if (total > MAX_STATEMENT_LINES) throw new Refused('statement-too-long');
    return {
      account: request.account,
      gamer,
      ...ends(days),
      openingCents,
      lines: await this.linesOf(request.account, extract),
      closingCents: openingCents + totalCents,
      servedCents: ends(days).to < today ? null : servedCents,
    };
  }

  /** A page of the movements of one of the gamer's two accounts, newest first. Every purchase by the gamer is one. */
  async movements(gamerId: GamerId, { account, from, to, ...page }: MovementsQuery): Promise<MovementsResponse> {
    const today = dayInNewYork(this.clock.now());
    const first = from ?? (await this.firstDay()) ?? today;
    const days = daysOf({ from: first, to }, today, MAX_MOVEMENTS_DAYS);
    const extract = await this.extract(ledgerAccount(account, { id: gamerId }), periodOf(days, today), {
      ...{ order: 'newest-first', ...rowsOf(page), eachPurchase: account === 'purchase' },
    });
    const { openingCents, total, totalCents } = extract;
    return {
      account,
      ...ends(days),
      openingCents,
      closingCents: openingCents + totalCents,
      movements: await this.linesOf(account, extract),
      total,
    };
  }

  /** Reads the account's journal and balance in one database snapshot. Throws Refused when that takes too long. */
  private async extract(account: LedgerAccount, period: Period, page: GroupsPage): Promise<JournalExtract> {
    try {
      return await this.database.transaction('REPEATABLE READ', async (tables) => ({
        openingCents: await openingOf(tables, account, period.dayStarts[0] as number),
        ...(await groupsOf(tables, account, period, page)),
        servedCents: await servedOf(tables, account),
      }));
    } catch (error) {
      if ((error as { code?: string }).code === CANCELLED) throw new Refused('statement-too-long');
      throw error;
    }
  }

  /** The day of the ledger's first event; null before it. */
  private async firstDay(): Promise<NewYorkDay | null> {
    const [first] = await this.database.manager.find(TrialBalanceRow, {
      ...{ select: { revision: true, atMs: true }, order: { revision: 'ASC' }, take: 1 },
    });
    return first ? dayInNewYork(first.atMs) : null;
  }

  private async gamerOf({ account, gamer }: StatementQuery): Promise<AuditGamer | null> {
    if (!isGamers(account)) return null;
    if (gamer === undefined) throw new Refused('statement-needs-gamer');
    const [id] = await this.search.gamersByTagOrId(gamer);
    if (id === undefined) throw new Refused('gamer-not-found');
    return { id, gamerTag: (await this.names.of([id]))(id) };
  }

  /** The groups with their texts and balances. Purchases need no read of the log. */
  private async linesOf(account: StatementAccount, extract: JournalExtract): Promise<StatementLine[]> {
    const { openingCents, groups } = extract;
    const revisions = groups.filter(({ type }) => type !== null).map((group) => group.lastRevision);
    const changes = await this.texts.open(await this.raw.at(revisions));
    const nameOf = await this.names.of(changes.flatMap(gamersIn));
    const texts = new Map(changes.map((one) => [one.revision, describeChange(account, one.event, nameOf)]));
    return groups.map(({ lastRevision, lastAtMs, firstRound, lastRound, events, cents, sumCents }) => ({
      number: lastRevision + 1,
      atEpochMs: lastAtMs,
      events,
      what: texts.get(lastRevision) ?? describePurchases(account, firstRound, lastRound),
      cents,
      balanceCents: openingCents + sumCents,
    }));
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
function daysOf({ from, to }: Days, today: NewYorkDay, maximum = MAX_STATEMENT_DAYS): NewYorkDay[] {
  for (const day of [from, to]) {
    if (day !== undefined && !isNewYorkDay(day)) throw new Refused('invalid-statement-days');
  }
  const last = to ?? today;
  const count = from === undefined ? STATEMENT_DAYS : countDays(from, last);
  if (count < 1 || count > maximum) throw new Refused('invalid-statement-days');
  return daysUntil(last, count);
}

const ends = (days: readonly NewYorkDay[]) => ({ from: days[0] as NewYorkDay, to: days.at(-1) as NewYorkDay });

const periodOf = (days: readonly NewYorkDay[], today: NewYorkDay): Period => {
  const { to } = ends(days);
  return { dayStarts: days.map(startOfNewYorkDay), endMs: to < today ? startOfNewYorkDay(dayAfter(to)) : null };
};
