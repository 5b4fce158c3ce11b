import { Injectable } from '@nestjs/common';
import type { LedgerEventType } from '../../../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import type { SignificantEvent, SignificantEventsResponse } from '../../../../contracts/http/audit.js';
import { LARGE_CENTS } from '../../../../contracts/limits.js';
import { dayAfter, dayInNewYork, startOfNewYorkDay } from '../../../../contracts/new-york.js';
import { Clock } from '../../platform/clock.js';
import { PersonalTexts } from '../../platform/personal-texts/personal-texts.js';
import { GamerNames, type NameOf } from '../gamers/gamers.queries.js';
import { daysOf } from '../statements/statements.queries.js';
import type { SignificantEventsQuery } from './audit.dto.js';
import { describeFacts, gamersIn } from './descriptions/event-descriptions.js';
import { LedgerIndexQueries } from './ledger-index.queries.js';
import { lineOf, numberOf } from './ledger-pages.js';
import { RawEvents } from './raw-events.js';

/** Significant whatever their amount (GLI-19 2.8.8, A.3.7). */
const ALWAYS: readonly LedgerEventType[] = [
  'BalanceAdjusted',
  'BalanceReleased',
  'DepositorStatusSet',
  'ExclusionLifted',
  'GamerExcluded',
  'GamerRemoved',
  'GameReset',
  'LimitsConfirmed',
  'LimitsSet',
  'LiveResumed',
  'PowersSet',
  'ProtectionProfileSet',
  'StaffStatusSet',
  'TimersChanged',
];
/** Significant when they move a large amount: wins, deposits and withdrawals. */
const WHEN_LARGE: readonly LedgerEventType[] = [
  'DepositApproved',
  'InvoiceCredited',
  'ProfitWithdrawalCompleted',
  'ProfitWithdrawalRequested',
  'RoundEnded',
  'WithdrawalCompleted',
  'WithdrawalRequested',
];
const isWhenLarge: ReadonlySet<LedgerEventType> = new Set(WHEN_LARGE);

/** Upper limit of events read for one page. A page that reaches it is returned short, and the next page continues. */
const MAX_READ_PER_PAGE = 2_000;
const READ_AT_ONCE = 200;

/** The significant events of the ledger by pages, newest first, for exports. An index names them; the log has them. */
@Injectable()
export class SignificantEvents {
  constructor(
    private readonly index: LedgerIndexQueries,
    private readonly raw: RawEvents,
    private readonly names: GamerNames,
    private readonly texts: PersonalTexts,
    private readonly clock: Clock,
  ) {}

  async page({ from, to, before, count }: SignificantEventsQuery): Promise<SignificantEventsResponse> {
    const days = daysOf({ from, to }, dayInNewYork(this.clock.now()));
    const [first, last] = [days[0] as string, days.at(-1) as string];
    const [startMs, endMs] = [startOfNewYorkDay(first), startOfNewYorkDay(dayAfter(last))];
    const { events, nextBefore } = await this.find(startMs, endMs, before, count);
    const nameOf = await this.names.of(events.flatMap(gamersIn));
    const opened = await this.texts.decrypt(events);
    return { from: first, to: last, events: opened.map((one) => significantOf(one, nameOf)), nextBefore };
  }

  private async find(startMs: number, endMs: number, before: number | undefined, count: number) {
    const { from, to } = await this.index.rangeOfTimes(startMs, endMs);
    const found: RecordedLedgerEvent[] = [];
    let next = Math.min(to, (before ?? Number.MAX_SAFE_INTEGER) - 2);
    for (let left = MAX_READ_PER_PAGE; next >= from && left > 0; left -= READ_AT_ONCE) {
      const revisions = await this.index.ofTypes([...ALWAYS, ...WHEN_LARGE], { from, to: next }, READ_AT_ONCE);
      for (const one of await this.raw.at(revisions)) {
        const { at } = one.metadata;
        if (at < startMs || at >= endMs || !isSignificant(one)) continue;
        found.push(one);
        if (found.length === count) return { events: found, nextBefore: numberOf(one) };
      }
      next = revisions.length < READ_AT_ONCE ? -1 : (revisions.at(-1) as number) - 1;
    }
    return { events: found, nextBefore: next >= from ? next + 2 : null };
  }
}

const isSignificant = (one: RecordedLedgerEvent): boolean =>
  !isWhenLarge.has(one.event.type) || lineOf(one, String).movesCents >= LARGE_CENTS;

function significantOf(one: RecordedLedgerEvent, nameOf: NameOf): SignificantEvent {
  const { actor } = one.metadata;
  return {
    ...lineOf(one, nameOf),
    by: actor.id === 'system' ? 'system' : nameOf(actor.id),
    facts: describeFacts(one.event, nameOf),
  };
}
