import { Injectable } from '@nestjs/common';
import type { AuditGamer, StatementAccount, StatementLine, StatementResponse } from '../../../contracts/http/audit.js';
import type { GamerId } from '../../../contracts/ids.js';
import { type LedgerAccount, purchaseAccount, winningsAccount } from '../../../contracts/ledger-accounts.js';
import { MAX_STATEMENT_DAYS, STATEMENT_DAYS } from '../../../contracts/limits.js';
import {
  countDays,
  dayAfter,
  dayInNewYork,
  daysUntil,
  isNewYorkDay,
  type NewYorkDay,
  startOfNewYorkDay,
} from '../../../contracts/new-york.js';
import { GamerNames } from '../gamers/gamer-names.queries.js';
import { Clock } from '../http/clock.js';
import { Refused } from '../http/refused.js';
import { gamersIn } from './event-gamers.js';
import { RawEvents } from './raw-events.js';
import { SoughtQueries } from './sought.queries.js';
import { changeInWords, purchasesInWords } from './statement-words.js';
import { type JournalGroup, StatementsQueries } from './statements.queries.js';

export interface StatementAsked {
  account: StatementAccount;
  /** Tag or id. */
  gamer?: string;
  from?: NewYorkDay;
  to?: NewYorkDay;
}

/** What an account held, and every change of it. */
@Injectable()
export class Statements {
  constructor(
    private readonly journal: StatementsQueries,
    private readonly sought: SoughtQueries,
    private readonly raw: RawEvents,
    private readonly names: GamerNames,
    private readonly clock: Clock,
  ) {}

  async of(asked: StatementAsked): Promise<StatementResponse> {
    const today = dayInNewYork(this.clock.now());
    const days = daysOf(asked, today);
    const [from, to] = [days[0] as NewYorkDay, days.at(-1) as NewYorkDay];
    const gamer = await this.gamerOf(asked);
    const isOver = to < today;
    const { openingCents, groups, servedCents } = await this.journal.extract(ledgerAccount(asked.account, gamer), {
      dayStarts: days.map(startOfNewYorkDay),
      endMs: isOver ? startOfNewYorkDay(dayAfter(to)) : null,
    });
    const lines = linesOf(openingCents, groups, await this.wordsOf(asked.account, groups));
    return {
      account: asked.account,
      gamer,
      from,
      to,
      openingCents,
      lines,
      closingCents: lines.at(-1)?.balanceCents ?? openingCents,
      servedCents: isOver ? null : servedCents,
    };
  }

  private async gamerOf({ account, gamer }: StatementAsked): Promise<AuditGamer | null> {
    if (!isGamers(account)) return null;
    if (gamer === undefined) throw new Refused('statement-needs-gamer');
    const [id] = await this.sought.gamersCalled(gamer);
    if (id === undefined) throw new Refused('gamer-not-found');
    return { id, gamerTag: (await this.names.of([id]))(id) };
  }

  /** Of each group, in their order. Only what is no purchase is looked up in the log. */
  private async wordsOf(account: StatementAccount, groups: readonly JournalGroup[]): Promise<string[]> {
    const changes = await this.raw.at(groups.filter(({ type }) => type !== null).map((group) => group.lastRevision));
    const nameOf = await this.names.of(changes.flatMap(gamersIn));
    const words = new Map(changes.map((one) => [one.revision, changeInWords(account, one, nameOf)]));
    return groups.map(
      ({ lastRevision, firstRound, lastRound }) =>
        words.get(lastRevision) ?? purchasesInWords(account, firstRound, lastRound),
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

/** The days asked for, in order: the last thirty where nothing is said. */
function daysOf({ from, to }: StatementAsked, today: NewYorkDay): NewYorkDay[] {
  for (const day of [from, to]) {
    if (day !== undefined && !isNewYorkDay(day)) throw new Refused('invalid-statement-days');
  }
  const last = to ?? today;
  const count = from === undefined ? STATEMENT_DAYS : countDays(from, last);
  if (count < 1 || count > MAX_STATEMENT_DAYS) throw new Refused('invalid-statement-days');
  return daysUntil(last, count);
}

function linesOf(openingCents: number, groups: readonly JournalGroup[], words: readonly string[]): StatementLine[] {
  let balanceCents = openingCents;
  return groups.map(({ lastRevision, lastAtMs, events, cents }, i) => {
    balanceCents += cents;
    return { number: lastRevision + 1, atEpochMs: lastAtMs, events, what: words[i] as string, cents, balanceCents };
  });
}
