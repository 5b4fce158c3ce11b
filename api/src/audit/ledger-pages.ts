import { Injectable } from '@nestjs/common';
import type { LedgerEventType } from '../../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import type { AuditLedgerResponse, AuditLine } from '../../../contracts/http/audit.js';
import type { RoundId } from '../../../contracts/ids.js';
import { postings } from '../../../domain/postings.js';
import { GamerNames, type NameOf } from '../gamers/gamer-names.queries.js';
import { gamerOf, gamersIn, named } from './event-gamers.js';
import { saysOf } from './event-words.js';
import { LedgerIndexQueries } from './ledger-index.queries.js';
import { isRare } from './rare.js';
import { RawEvents, type Stretch } from './raw-events.js';
import { bears, type Sought, SoughtQueries } from './sought.queries.js';

/** A page that is not full by then is answered as it is, and the next one goes on. */
const LOOKED_AT_A_PAGE = 5_000;
const LOOKED_AT_ONCE = 500;

export interface LedgerPage {
  count: number;
  /** Events with a lower number. */
  before?: number;
  type?: LedgerEventType;
  roundId?: RoundId;
  find?: string;
}

interface Found {
  /** Newest first. */
  events: RecordedLedgerEvent[];
  nextBefore: number | null;
}

/** The ledger by pages, newest first. What may be meant comes from an index, what it says from the log. */
@Injectable()
export class LedgerPages {
  constructor(
    private readonly index: LedgerIndexQueries,
    private readonly sought: SoughtQueries,
    private readonly raw: RawEvents,
    private readonly names: GamerNames,
  ) {}

  async page(asked: LedgerPage): Promise<AuditLedgerResponse> {
    const lastNumber = await this.index.lastNumber();
    const stretch = await this.stretchOf(asked, lastNumber);
    const sought = asked.find === undefined ? undefined : await this.sought.meaningOf(asked.find);
    const { events, nextBefore } = stretch ? await this.look(asked, sought, stretch) : NOTHING;
    const nameOf = await this.names.of(events.flatMap(gamersIn));
    return { events: events.map((one) => lineOf(one, nameOf)), lastNumber, nextBefore };
  }

  /** Where to look; null: nowhere. */
  private async stretchOf({ before, roundId }: LedgerPage, lastNumber: number): Promise<Stretch | null> {
    const round = roundId === undefined ? { from: 0, to: lastNumber } : await this.index.stretchOfRound(roundId);
    return (
      round && { from: round.from, to: Math.min(round.to, lastNumber - 1, (before ?? Number.MAX_SAFE_INTEGER) - 2) }
    );
  }

  /** One more than the page holds is looked for, to know whether there is another page. */
  private async look({ count, type }: LedgerPage, sought: Sought | undefined, { from, to }: Stretch): Promise<Found> {
    const isScan = type !== undefined && !isRare(type);
    const atOnce = isScan ? LOOKED_AT_ONCE : count + 1;
    const events: RecordedLedgerEvent[] = [];
    let [left, next] = [LOOKED_AT_A_PAGE, to];
    while (events.length <= count && left > 0 && next >= from) {
      const revisions = await this.candidates(type, sought, { from, to: next }, atOnce);
      const read = await this.raw.at(revisions);
      const isMeant = (one: RecordedLedgerEvent): boolean =>
        (type === undefined || one.event.type === type) && (sought === undefined || bears(one, sought));
      events.push(...read.filter(isMeant));
      left -= revisions.length;
      next = revisions.length < atOnce ? from - 1 : (revisions.at(-1) as number) - 1;
    }
    if (events.length > count) {
      const listed = events.slice(0, count);
      return { events: listed, nextBefore: numberOf(listed.at(-1) as RecordedLedgerEvent) };
    }
    return { events, nextBefore: next >= from ? next + 2 : null };
  }

  /** The newest revisions of a stretch that may belong on the page, newest first. */
  private async candidates(
    type: LedgerEventType | undefined,
    sought: Sought | undefined,
    stretch: Stretch,
    limit: number,
  ) {
    if (sought) return this.sought.revisions(sought, type, stretch, limit);
    if (type !== undefined && isRare(type)) return this.index.ofRareType(type, stretch, limit);
    const { from, to } = stretch;
    return Array.from({ length: Math.min(limit, to - from + 1) }, (_, i) => to - i);
  }
}

const NOTHING: Found = { events: [], nextBefore: null };

/** People count from 1. */
export const numberOf = ({ revision }: RecordedLedgerEvent): number => revision + 1;

export function lineOf(one: RecordedLedgerEvent, nameOf: NameOf): AuditLine {
  const { event, metadata } = one;
  return {
    number: numberOf(one),
    atEpochMs: metadata.at,
    type: event.type,
    gamer: named(gamerOf(one), nameOf),
    says: saysOf(event, nameOf),
    movesCents: postings(event).reduce((sum, { cents }) => sum + Math.max(cents, 0), 0),
  };
}
