import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import type { GamerPurchase, GamerPurchasesResponse } from '../../../../contracts/http/rounds.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { purchaseAccount } from '../../../../contracts/ledger-accounts.js';
import { RawEvents } from '../audit/raw-events.js';
import { GamerNames, type NameOf } from '../gamers/gamers.queries.js';
import { PurchasesQueries } from '../purchases/purchases.queries.js';
import { journalLines } from '../statements/journal.queries.js';
import { purchaseOf } from './rounds.queries.js';

const SHOWN = 10;
/** Of the purchase account: most of them are purchases. */
const MOVEMENTS_READ = 100;

/** What a gamer bought and tried to buy lately, for whoever answers a complaint. */
@Injectable()
export class GamerPurchasesQueries {
  constructor(
    private readonly tables: EntityManager,
    private readonly raw: RawEvents,
    private readonly names: GamerNames,
    private readonly purchases: PurchasesQueries,
  ) {}

  async of(gamerId: GamerId): Promise<GamerPurchasesResponse> {
    const parameters = [purchaseAccount(gamerId), MOVEMENTS_READ, gamerId, SHOWN];
    const found = await this.tables.query<Found[]>(NEWEST_OF_GAMER, parameters);
    const revisions = found.flatMap(({ revision, next }) => [
      ...[Number(revision), Number(revision) + 1],
      ...(next === null ? [] : [Number(next)]),
    ]);
    const events = new Map((await this.raw.at(revisions)).map((one) => [one.revision, one]));
    const nameOf = await this.names.of(buyersIn(events.values()));
    return {
      purchases: found.map((one) => gamerPurchase(one, events, nameOf)),
      signedRefusals: await this.purchases.refusalsOf(gamerId),
    };
  }
}

interface Found {
  revision: string;
  round_id: number;
  /** Revision of the next purchase of the round; null without one. */
  next: string | null;
}

function gamerPurchase(
  { revision, round_id: roundId, next }: Found,
  events: Map<number, RecordedLedgerEvent>,
  nameOf: NameOf,
): GamerPurchase {
  const bought = events.get(Number(revision));
  const by = next === null ? undefined : events.get(Number(next));
  const purchase = { ...purchaseOf(events, Number(revision), nameOf), roundId };
  if (bought?.event.type !== 'TokenPurchased' || by?.event.type !== 'TokenPurchased')
    return { ...purchase, overtaken: null };
  const afterMs = by.event.data.receivedAtEpochMs - bought.event.data.receivedAtEpochMs;
  return { ...purchase, overtaken: { gamerTag: nameOf(by.event.data.buyerId), afterMs } };
}

const buyersIn = (events: Iterable<RecordedLedgerEvent>): GamerId[] =>
  [...events].flatMap(({ event }) => (event.type === 'TokenPurchased' ? [event.data.buyerId] : []));

const NEWEST_OF_GAMER = `
  WITH moved AS (
    SELECT revision FROM ${journalLines('$1', '0', '9007199254740991')} AS one
    ORDER BY first_revision DESC, revision DESC LIMIT $2
  ), bought AS (
    SELECT revision FROM moved
    WHERE NOT EXISTS (SELECT FROM read.ledger_events_by_type AS typed WHERE typed.revision = moved.revision)
    UNION
    (SELECT purchase_revision FROM read.deposits WHERE gamer_id = $3 AND outcome = 'tokens'
     ORDER BY purchase_revision DESC LIMIT $4)
    ORDER BY revision DESC LIMIT $4
  )
  SELECT bought.revision, round.round_id, (
    SELECT min(later.revision) FROM ${journalLines("'jackpot'", 'bought.revision + 1', 'coalesce(round.last_revision, 9007199254740991)')} AS later
    WHERE later.cents > 0
  ) AS next
  FROM bought CROSS JOIN LATERAL (
    SELECT * FROM read.ledger_rounds WHERE first_revision <= bought.revision ORDER BY first_revision DESC LIMIT 1
  ) AS round
  ORDER BY bought.revision DESC`;
