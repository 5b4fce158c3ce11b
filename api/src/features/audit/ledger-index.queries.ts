import { Injectable } from '@nestjs/common';
import { from, lastValueFrom, mergeMap, toArray } from 'rxjs';
import { Between, DataSource, EntityManager, IsNull, LessThanOrEqual, Not } from 'typeorm';
import type { LedgerEvents, LedgerEventType } from '../../../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import type { AuditRound } from '../../../../contracts/http/audit.js';
import type { GamerId, PurchaseId, RoundId } from '../../../../contracts/ids.js';
import { purchaseAccount, winningsAccount } from '../../../../contracts/ledger-accounts.js';
import { MAX_MARKED_ROUNDS } from '../../../../contracts/limits.js';
import type { PurchaseOutcome } from '../../../../contracts/purchase-outcome.js';
import { LEDGER_STREAM } from '../../../../contracts/streams.js';
import { emptyTrialBalance } from '../../../../domain/ledger/trial-balance.js';
import { EventLog } from '../../../../event-log/event-log.js';
import * as views from '../../../../projections/src/views/tables.entity.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { GamerTags } from '../gamers/gamers.queries.js';
import { journalLines } from '../statements/journal.queries.js';

/** Revisions of the stream `ledger`, both ends included. */
export type RevisionRange = { from: number; to: number };

export const WHOLE_LEDGER: RevisionRange = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** A shorter prefix would match too many keys. */
const PREFIX_MIN_LENGTH = 4;
const AFTER_EVERY_LETTER = '\u{10ffff}';

export type EventSearch = Awaited<ReturnType<LedgerIndexQueries['searchOf']>>;

/** Revisions of events and rounds in the ledger, as far as the read model has come. The events themselves are in the log. */
@Injectable()
export class LedgerIndexQueries {
  constructor(private readonly database: DataSource) {}

  /** The first saved trial balance; null before the first event. */
  oldest(): Promise<views.TrialBalanceRow | null> {
    return this.database.manager.findOne(views.TrialBalanceRow, { where: {}, order: { revision: 'ASC' } });
  }

  /** Number of the newest event; 0 before the first. */
  async lastNumber(): Promise<number> {
    const last = await this.database.manager.maximum(views.TrialBalanceRow, 'revision');
    return last === null ? 0 : Number(last) + 1;
  }

  /** The nearest saved trial balance at or before a revision; the empty one when none is saved. */
  async trialBalanceBefore(revision: number): Promise<views.TrialBalanceRow> {
    const where = { revision: LessThanOrEqual(revision) };
    const row = await this.database.manager.findOne(views.TrialBalanceRow, { where, order: { revision: 'DESC' } });
    return row ?? { revision: -1, atMs: 0, trialBalance: emptyTrialBalance() };
  }

  /** A round's revisions, to the end of the ledger while it is open; null for an unknown round. */
  async rangeOfRound(roundId: RoundId): Promise<RevisionRange | null> {
    const row = await this.database.manager.findOneBy(views.LedgerRoundRow, { roundId });
    return row && { from: row.firstRevision, to: row.lastRevision ?? Number.MAX_SAFE_INTEGER };
  }

  /** The revisions of a round that ended, won or not. Throws Refused for any other. */
  async rangeOfEndedRound(roundId: RoundId): Promise<RevisionRange> {
    const range = await this.rangeOfRound(roundId);
    const last = range && (await this.database.manager.findOneBy(views.EventByTypeRow, { revision: range.to }));
    if (last?.type === 'GameReset') throw new Refused('round-reset');
    if (range === null || last?.type !== 'RoundEnded') throw new Refused('round-not-ended');
    return range;
  }

  async revisionOfPurchase(purchaseId: PurchaseId): Promise<number> {
    const [row] = await this.database.query<{ revision: string | null }[]>(
      'SELECT min(revision) AS revision FROM read.ledger_keys WHERE key = $1',
      [views.ledgerKeyOf(purchaseId)],
    );
    if (row?.revision == null) throw new Unavailable(`the read models have no purchase ${purchaseId}`);
    return Number(row.revision);
  }

  async endedRounds(): Promise<AuditRound[]> {
    const rows = await this.database.manager.find(views.LedgerRoundRow, {
      where: { lastRevision: Not(IsNull()) },
      order: { roundId: 'DESC' },
      take: MAX_MARKED_ROUNDS,
    });
    return rows.reverse().map(({ roundId, lastRevision, endedAtMs }) => ({
      roundId,
      endedNumber: (lastRevision as number) + 1,
      endedAtMs: endedAtMs as number,
    }));
  }

  /** The newest revisions of this indexed type in a range, newest first. */
  async ofType(type: LedgerEventType, { from, to }: RevisionRange, limit: number): Promise<number[]> {
    const rows = await this.database.manager.find(views.EventByTypeRow, {
      where: { type, revision: Between(from, to) },
      order: { revision: 'DESC' },
      take: limit,
    });
    return rows.map(({ revision }) => revision);
  }

  /** Reads a search text: a number, a gamer, or the prefix of an id or a hash. */
  async searchOf(text: string) {
    const lower = text.toLowerCase();
    const gamerIds = await this.gamersByTagOrId(text);
    const number = /^[\d,]+$/.test(text) ? Number(text.replaceAll(',', '')) : null;
    const isPrefix = number === null && lower.length >= PREFIX_MIN_LENGTH;
    return {
      text: lower,
      /** Revision of the event with this number; null when the text is not a number. */
      revision: number !== null && Number.isSafeInteger(number) ? number - 1 : null,
      /** Accounts of the gamers with this tag or id; the text counts as an id: that gamer may have been removed. */
      accounts: [...new Set([text, ...gamerIds])].flatMap((id) => [purchaseAccount(id), winningsAccount(id)]),
      /** Whole keys: the text itself, and the ids of the gamers. */
      keys: [text, ...gamerIds].map(views.ledgerKeyOf),
      /** Prefix of keys; null when the text is too short, or a number. */
      prefix: isPrefix ? lower : null,
    };
  }

  /** Gamers with this tag or id, tag first: one gamer's tag may be another gamer's id. */
  async gamersByTagOrId(text: string): Promise<GamerId[]> {
    const rows = await this.database.query<{ id: GamerId }[]>(
      'SELECT id FROM read.gamers WHERE lower(gamer_tag) = $1 OR id = $1 ORDER BY gamer_tag IS NULL OR lower(gamer_tag) <> $1',
      [text.toLowerCase()],
    );
    return rows.map(({ id }) => id);
  }

  /** The newest revisions in a range that may match, newest first, each read from an index; the caller checks types without one. */
  async revisions(search: EventSearch, type: LedgerEventType | undefined, { from, to }: RevisionRange, limit: number) {
    const isIndexed = views.isIndexedType(type);
    const indexed = 'SELECT FROM read.ledger_events_by_type AS typed WHERE typed.revision = one.revision';
    const ofType = isIndexed ? `AND EXISTS (${indexed} AND typed.type = $8)` : `AND NOT EXISTS (${indexed})`;
    const ofTypeOnly = type ? ofType : '';
    const newest = `one.revision BETWEEN $1 AND $2 ${ofTypeOnly} ORDER BY one.revision DESC LIMIT $3`;
    const rows = await this.database.query<{ revision: string }[]>(
      `SELECT $4::bigint AS revision WHERE $4 BETWEEN $1 AND $2
       UNION SELECT found.revision FROM unnest($5::text[]) AS wanted (account) CROSS JOIN LATERAL (
         SELECT one.revision FROM ${journalLines('wanted.account', '$1', '$2')} AS one
         WHERE true ${ofTypeOnly} ORDER BY one.first_revision DESC, one.revision DESC LIMIT $3) AS found
       UNION SELECT found.revision FROM unnest($6::text[]) AS wanted (key) CROSS JOIN LATERAL (
         SELECT one.revision FROM read.ledger_keys AS one WHERE one.key = wanted.key AND ${newest}) AS found
       UNION (SELECT one.revision FROM read.ledger_keys AS one
         WHERE one.key >= $7::text AND one.key < $7::text || '${AFTER_EVERY_LETTER}' AND ${newest})
       ORDER BY revision DESC LIMIT $3`,
      [
        from,
        to,
        limit,
        search.revision,
        // The keys of an event of an indexed type name every gamer whose accounts it changes.
        isIndexed ? [] : search.accounts,
        search.keys,
        search.prefix,
        ...(isIndexed ? [type] : []),
      ],
    );
    return rows.map(({ revision }) => Number(revision));
  }
}

/** True if a text in the event starts with the whole search text: the index holds only prefixes of keys. */
export function matches(one: RecordedLedgerEvent, { text }: EventSearch): boolean {
  return views.ledgerKeyOf(text) === text || contains(one, text);
}

function contains(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().startsWith(text);
  return typeof value === 'object' && value !== null && Object.values(value).some((part) => contains(part, text));
}

/** Reading this many unneeded events costs less than another call. */
const MAX_GAP = 20;
const READS_AT_ONCE = 4;

/** The ledger's events as recorded in the log. Throws LogUnavailable or Unavailable. */
@Injectable()
export class RawEvents {
  constructor(private readonly log: EventLog) {}

  async *range(range: RevisionRange): AsyncIterable<RecordedLedgerEvent> {
    const options = { fromRevision: range.from, maxCount: range.to - range.from + 1 };
    if (options.maxCount < 1) return;
    for await (const one of this.log.readStream(LEDGER_STREAM, options)) yield one as RecordedLedgerEvent;
  }

  /** The events at these revisions, in this order. Reads neighbours in one call, and a few ranges in parallel. */
  async atRevisions(revisions: readonly number[]): Promise<RecordedLedgerEvent[]> {
    const ranges = rangesOf([...new Set(revisions)].sort((a, b) => a - b));
    const reading = from(ranges).pipe(mergeMap((range) => this.range(range), READS_AT_ONCE));
    const read = await lastValueFrom(reading.pipe(toArray()));
    const found = new Map(read.map((one) => [one.revision, one]));
    return revisions.map((revision) => {
      const one = found.get(revision);
      if (!one) throw new Unavailable(`the log has no event ${revision}, which the read models have`);
      return one;
    });
  }
}

function rangesOf(ascending: readonly number[]): RevisionRange[] {
  const ranges: RevisionRange[] = [];
  for (const revision of ascending) {
    const last = ranges.at(-1);
    if (last && revision - last.to <= MAX_GAP) last.to = revision;
    else ranges.push({ from: revision, to: revision });
  }
  return ranges;
}

/** Outcomes of purchases. A table gives the revision of each purchase's successor; the events are read from the log. */
@Injectable()
export class PurchaseOutcomes {
  constructor(
    private readonly tables: EntityManager,
    private readonly raw: RawEvents,
    private readonly tags: GamerTags,
  ) {}

  /** Returns each purchase's outcome, by the revision of its TokenPurchased. */
  async of(revisions: readonly number[]): Promise<ReadonlyMap<number, PurchaseOutcome>> {
    if (revisions.length === 0) return new Map();
    const wanted = await this.tables.query<NextAndReset[]>(NEXT_AND_RESET, [revisions]);
    const revisionsRead = wanted.flatMap(({ revision, next, reset }) => [revision, revision + 1, next, reset]);
    const read = await this.raw.atRevisions(revisionsRead);
    const events = new Map(read.map((one) => [one.revision, one]));
    // A forged log may have another event here; such a purchase is left out.
    const found = wanted.filter(({ revision }) => events.get(revision + 1)?.event.type === 'TimeExtended');
    const tagOf = await this.tags.of(found.map(({ next }) => eventDataAt(events, next, 'TokenPurchased').buyerId));
    return new Map(
      found.map(({ revision, next, reset }) => {
        const own = eventDataAt(events, revision, 'TokenPurchased');
        const other = eventDataAt(events, next, 'TokenPurchased');
        const isOvertaken = next !== revision && other.roundId === own.roundId;
        const afterMs = other.receivedAtEpochMs - own.receivedAtEpochMs;
        const overtaken = isOvertaken ? { gamerTag: tagOf(other.buyerId), afterMs } : null;
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
