import { Injectable } from '@nestjs/common';
import type { LedgerEventType } from '../../../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import type { AuditLedgerResponse, AuditLine } from '../../../../contracts/http/audit.js';
import { postings } from '../../../../domain/ledger/postings.js';
import { PersonalTexts } from '../../platform/personal-texts/personal-texts.js';
import { GamerNames, type NameOf } from '../gamers/gamers.queries.js';
import type { LedgerQuery } from './audit.dto.js';
import { auditGamer, describeSummary, gamersIn, subjectOf } from './descriptions/event-descriptions.js';
import {
  type EventSearch,
  EventSearchQueries,
  isIndexedType,
  LedgerIndexQueries,
  matches,
} from './ledger-index.queries.js';
import { RawEvents, type RevisionRange } from './raw-events.js';

/** Upper limit of events read for one page. A page that reaches it is returned short, and the next page continues. */
const MAX_READ_PER_PAGE = 5_000;
const READ_AT_ONCE = 500;

interface FoundEvents {
  /** Newest first. */
  events: RecordedLedgerEvent[];
  nextBefore: number | null;
}

/** The ledger by pages, newest first. An index names the candidates; the log has the events. */
@Injectable()
export class LedgerPages {
  constructor(
    private readonly index: LedgerIndexQueries,
    private readonly search: EventSearchQueries,
    private readonly raw: RawEvents,
    private readonly names: GamerNames,
    private readonly texts: PersonalTexts,
  ) {}

  async page(request: LedgerQuery): Promise<AuditLedgerResponse> {
    const lastNumber = await this.index.lastNumber();
    const range = await this.rangeOf(request, lastNumber);
    const search = request.find ? await this.search.parse(request.find) : undefined;
    const { events, nextBefore } = range ? await this.find(request, search, range) : NO_EVENTS;
    const nameOf = await this.names.of(events.flatMap(gamersIn));
    const opened = await this.texts.decrypt(events);
    return { events: opened.map((one) => lineOf(one, nameOf)), lastNumber, nextBefore };
  }

  private async rangeOf({ before, roundId }: LedgerQuery, lastNumber: number): Promise<RevisionRange | null> {
    const round = roundId === undefined ? { from: 0, to: lastNumber } : await this.index.rangeOfRound(roundId);
    return (
      round && { from: round.from, to: Math.min(round.to, lastNumber - 1, (before ?? Number.MAX_SAFE_INTEGER) - 2) }
    );
  }

  /** Finds one event more than the page holds, which tells whether there is another page. */
  private async find(
    { count, type }: LedgerQuery,
    search: EventSearch | undefined,
    { from, to }: RevisionRange,
  ): Promise<FoundEvents> {
    const isScan = type !== undefined && !isIndexedType(type);
    const atOnce = isScan ? READ_AT_ONCE : count + 1;
    const events: RecordedLedgerEvent[] = [];
    let [left, next] = [MAX_READ_PER_PAGE, to];
    while (events.length <= count && left > 0 && next >= from) {
      const revisions = await this.candidates(type, search, { from, to: next }, atOnce);
      const read = await this.raw.at(revisions);
      const isMatch = (one: RecordedLedgerEvent): boolean =>
        (type === undefined || one.event.type === type) && (search === undefined || matches(one, search));
      events.push(...read.filter(isMatch));
      left -= revisions.length;
      next = revisions.length < atOnce ? from - 1 : (revisions.at(-1) as number) - 1;
    }
    if (events.length > count) {
      const listed = events.slice(0, count);
      return { events: listed, nextBefore: numberOf(listed.at(-1) as RecordedLedgerEvent) };
    }
    return { events, nextBefore: next >= from ? next + 2 : null };
  }

  private async candidates(
    type: LedgerEventType | undefined,
    search: EventSearch | undefined,
    range: RevisionRange,
    limit: number,
  ) {
    if (search) return this.search.revisions(search, type, range, limit);
    if (type !== undefined && isIndexedType(type)) return this.index.ofTypes([type], range, limit);
    const { from, to } = range;
    return Array.from({ length: Math.min(limit, to - from + 1) }, (_, i) => to - i);
  }
}

const NO_EVENTS: FoundEvents = { events: [], nextBefore: null };

/** Event numbers start at 1. */
export const numberOf = ({ revision }: RecordedLedgerEvent): number => revision + 1;

export function lineOf(one: RecordedLedgerEvent, nameOf: NameOf): AuditLine {
  const { event, metadata } = one;
  return {
    number: numberOf(one),
    atEpochMs: metadata.at,
    type: event.type,
    gamer: auditGamer(subjectOf(event), nameOf),
    says: describeSummary(event, nameOf),
    movesCents: postings(event).reduce((sum, { cents }) => sum + Math.max(cents, 0), 0),
  };
}
