import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { LedgerEvent } from '../../../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import type { RoundPurchase, RoundResponse } from '../../../../contracts/http/rounds.js';
import type { GamerId, RoundId } from '../../../../contracts/ids.js';
import { latenessOf } from '../../../../contracts/transparency/signed-refusal.js';
import { LatePurchaseRow, LedgerRoundRow } from '../../../../projections/src/views/tables.entity.js';
import { type Page, skipTakeOf } from '../../http/page.js';
import { PublicQueryCache } from '../../http/read-checkpoint.queries.js';
import { Refused } from '../../platform/failures.js';
import { type Events, eventDataAt, leftMsOf, RawEvents, type RevisionRange } from '../audit/ledger-index.queries.js';
import { GamerTags, type TagOf } from '../gamers/gamers.queries.js';
import { journalLines } from '../statements/journal.queries.js';

const LATE_SHOWN = 10;

/** Tables name the round's events; the log has them. */
@Injectable()
export class RoundsQueries {
  constructor(
    private readonly tables: EntityManager,
    private readonly raw: RawEvents,
    private readonly tags: GamerTags,
    private readonly cache: PublicQueryCache,
  ) {}

  round(roundId: RoundId, page: Page): Promise<RoundResponse> {
    return this.cache.get(`round ${roundId} ${page.page} ${page.pageSize}`, () => this.read(roundId, page));
  }

  private async read(roundId: RoundId, page: Page): Promise<RoundResponse> {
    const row = await this.tables.findOneBy(LedgerRoundRow, { roundId });
    if (row === null) throw new Refused('not-found');
    const { firstRevision, lastRevision, endedAtMs } = row;
    const range = { from: firstRevision, to: lastRevision ?? Number.MAX_SAFE_INTEGER };
    const [listed, late] = await Promise.all([this.purchasesIn(range, page), this.lateIn(roundId)]);
    const newest = lastRevision ?? listed.newest;
    const revisions = new Set([
      firstRevision,
      ...(newest === null ? [] : [newest]),
      // A purchase's TimeExtended follows it in the same append.
      ...listed.revisions.flatMap((revision) => [revision, revision + 1]),
    ]);
    const events = new Map((await this.raw.atRevisions([...revisions])).map((one) => [one.revision, one]));
    // Another event may follow in a forged log.
    const purchases = listed.revisions.filter((one) => events.get(one + 1)?.event.type === 'TimeExtended');
    const tagOf = await this.tags.of(gamersIn([...events.values()]));
    const last = newest === null ? null : (events.get(newest)?.event ?? null);
    return {
      roundId,
      startedAtMs: (events.get(firstRevision) as RecordedLedgerEvent).metadata.at,
      endedAtMs,
      ...outcomeOf(last, eventDataAt(events, firstRevision, 'GameStarted').carriedCents, tagOf),
      purchaseCount: listed.count,
      late,
      purchases: purchases.map((revision) => purchaseOf(events, revision, tagOf)),
    };
  }

  /** A page of the purchases, newest first. Every purchase adds to the jackpot, and nothing else does. */
  private async purchasesIn({ from, to }: RevisionRange, page: Page) {
    const { skip, take } = skipTakeOf(page);
    const rows = await this.tables.query<{ revision: number | null; count: number; newest: number | null }[]>(
      `WITH found AS (SELECT revision FROM ${journalLines("'jackpot'", '$1', '$2')} AS one WHERE cents > 0),
       page AS (SELECT revision FROM found ORDER BY revision DESC OFFSET $3 LIMIT $4)
       SELECT revision::float8, count::int, newest::float8
       FROM (SELECT count(*), max(revision) AS newest FROM found) AS whole LEFT JOIN page ON true
       ORDER BY revision DESC`,
      [from, to, skip, take],
    );
    const { count = 0, newest = null } = rows[0] ?? {};
    return { revisions: rows.flatMap(({ revision }) => revision ?? []), count, newest };
  }

  private async lateIn(roundId: RoundId): Promise<RoundResponse['late']> {
    const [rows, count] = await this.tables.findAndCount(LatePurchaseRow, {
      where: { roundId },
      order: { receivedAtEpochMs: 'ASC' },
      take: LATE_SHOWN,
    });
    return { count, nearestMs: rows.map(latenessOf) };
  }
}

function purchaseOf(events: Events, revision: number, tagOf: TagOf): RoundPurchase {
  const bought = eventDataAt(events, revision, 'TokenPurchased');
  const { purchaseId, buyerId, quantity, jackpotCents } = bought;
  return {
    number: revision + 1,
    purchaseId,
    buyerId,
    buyerGamerTag: tagOf(buyerId),
    ts: (events.get(revision) as RecordedLedgerEvent).metadata.at,
    quantity,
    leftMs: leftMsOf(events, revision),
    addedSeconds: eventDataAt(events, revision + 1, 'TimeExtended').addedSeconds,
    newJackpot: jackpotCents,
  };
}

function* gamersIn(events: readonly RecordedLedgerEvent[]): Iterable<GamerId> {
  for (const { event } of events) {
    if (event.type === 'TokenPurchased') yield event.data.buyerId;
    if (event.type === 'RoundEnded' && event.data.winner) yield event.data.winner.gamerId;
  }
}

/** @param last the event that ended the round; while it is open its newest purchase, or null without one */
function outcomeOf(last: LedgerEvent | null, carriedCents: number, tagOf: TagOf) {
  const outcome = { carriedCents, jackpotCents: carriedCents, winner: null, resetReason: null };
  switch (last?.type) {
    case 'RoundEnded': {
      const { winner, jackpotCents } = last.data;
      if (winner === null) return { ...outcome, state: 'unsold' as const, jackpotCents };
      const { gamerId, purchaseId } = winner;
      const won = { id: gamerId, gamerTag: tagOf(gamerId), purchaseId };
      return { ...outcome, state: 'won' as const, jackpotCents, winner: won };
    }
    case 'GameReset': {
      const { carriedCents: jackpotCents, reason } = last.data;
      return { ...outcome, state: 'reset' as const, jackpotCents, resetReason: reason };
    }
    case 'TokenPurchased':
      return { ...outcome, state: 'open' as const, jackpotCents: last.data.jackpotCents };
    default:
      return { ...outcome, state: 'open' as const };
  }
}
