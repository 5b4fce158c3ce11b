import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { LedgerEvents, LedgerEventType } from '../../../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import type { PurchaseOutcome } from '../../../../contracts/purchase-outcome.js';
import { GamerNames } from '../gamers/gamers.queries.js';
import { journalLines } from '../statements/journal.queries.js';
import { RawEvents } from './ledger-index.queries.js';

/** Outcomes of purchases. A table gives the revision of each purchase's successor; the events are read from the log. */
@Injectable()
export class PurchaseOutcomes {
  constructor(
    private readonly tables: EntityManager,
    private readonly raw: RawEvents,
    private readonly names: GamerNames,
  ) {}

  /** Returns each purchase's outcome, by the revision of its TokenPurchased. */
  async of(revisions: readonly number[]): Promise<ReadonlyMap<number, PurchaseOutcome>> {
    if (revisions.length === 0) return new Map();
    const wanted = await this.tables.query<NextAndReset[]>(NEXT_AND_RESET, [revisions]);
    const read = await this.raw.atRevisions(
      wanted.flatMap(({ revision, next, reset }) => [revision, revision + 1, next, reset]),
    );
    const events = new Map(read.map((one) => [one.revision, one]));
    // A forged log may have another event here; such a purchase is left out.
    const found = wanted.filter(({ revision }) => events.get(revision + 1)?.event.type === 'TimeExtended');
    const nameOf = await this.names.of(found.map(({ next }) => eventDataAt(events, next, 'TokenPurchased').buyerId));
    return new Map(
      found.map(({ revision, next, reset }) => {
        const own = eventDataAt(events, revision, 'TokenPurchased');
        const other = eventDataAt(events, next, 'TokenPurchased');
        const isOvertaken = next !== revision && other.roundId === own.roundId;
        const afterMs = other.receivedAtEpochMs - own.receivedAtEpochMs;
        const overtaken = isOvertaken ? { gamerTag: nameOf(other.buyerId), afterMs } : null;
        const resetReason = reset === revision ? null : eventDataAt(events, reset, 'GameReset').reason;
        return [revision, { leftMs: leftMsOf(events, revision), overtaken, resetReason }];
      }),
    );
  }
}

type NextAndReset = Record<'revision' | 'next' | 'reset', number>;

/** SQL: for each purchase the revisions of the next one (of any round) and of its round's reset; without one, its own. */
const NEXT_AND_RESET = `
  SELECT bought.revision::float8, coalesce((
    SELECT later.revision FROM ${journalLines("'jackpot'", 'bought.revision + 1', '9007199254740991')} AS later
    WHERE later.cents > 0 ORDER BY later.first_revision, later.revision LIMIT 1
  ), bought.revision)::float8 AS next, coalesce((
    SELECT revision FROM read.ledger_rounds AS round JOIN read.ledger_events_by_type ON revision = last_revision
    WHERE type = 'GameReset' AND bought.revision BETWEEN first_revision AND last_revision
  ), bought.revision)::float8 AS reset
  FROM unnest($1::bigint[]) AS bought (revision)`;

export type Events = ReadonlyMap<number, RecordedLedgerEvent>;

/** Throws when another event is at the revision: the tables and the log then disagree. */
export function eventDataAt<T extends LedgerEventType>(events: Events, revision: number, type: T): LedgerEvents[T] {
  const event = events.get(revision)?.event;
  if (event?.type !== type) throw new Error(`event ${revision} is ${event?.type}, not ${type}`);
  return event.data as LedgerEvents[T];
}

/** The countdown's milliseconds left when a purchase arrived. Its TimeExtended follows it in the same append. */
export function leftMsOf(events: Events, revision: number): number {
  const { addedSeconds, endsAtEpochMs } = eventDataAt(events, revision + 1, 'TimeExtended');
  return endsAtEpochMs - addedSeconds * 1_000 - eventDataAt(events, revision, 'TokenPurchased').receivedAtEpochMs;
}
