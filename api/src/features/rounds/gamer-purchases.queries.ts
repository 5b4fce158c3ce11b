import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { GamerPurchase, GamerPurchasesResponse } from '../../../../contracts/http/rounds.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { purchaseAccount } from '../../../../contracts/ledger-accounts.js';
import { RawEvents } from '../audit/raw-events.js';
import { GamerNames, type NameOf } from '../gamers/gamers.queries.js';
import { PurchasesQueries } from '../purchases/purchases.queries.js';
import { journalLines } from '../statements/journal.queries.js';
import { dataOf, type Events, gamersIn, purchaseOf } from './rounds.queries.js';

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
    const nameOf = await this.names.of(gamersIn([...events.values()]));
    return {
      purchases: found.map((one) => gamerPurchase(one, events, nameOf)),
      signedRefusals: await this.purchases.refusalsOf(gamerId),
    };
  }
}

interface Found {
  revision: string;
  /** Revision of the next purchase, perhaps of a later round; null without one. */
  next: string | null;
}

function gamerPurchase({ revision, next }: Found, events: Events, nameOf: NameOf): GamerPurchase {
  const { roundId, receivedAtEpochMs } = dataOf(events, Number(revision), 'TokenPurchased');
  const purchase = { ...purchaseOf(events, Number(revision), nameOf), roundId };
  const by = next === null ? null : dataOf(events, Number(next), 'TokenPurchased');
  if (by?.roundId !== roundId) return { ...purchase, overtaken: null };
  const afterMs = by.receivedAtEpochMs - receivedAtEpochMs;
  return { ...purchase, overtaken: { gamerTag: nameOf(by.buyerId), afterMs } };
}

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
  SELECT revision, (
    SELECT later.revision FROM ${journalLines("'jackpot'", 'bought.revision + 1', '9007199254740991')} AS later
    WHERE later.cents > 0 ORDER BY later.first_revision, later.revision LIMIT 1
  ) AS next
  FROM bought ORDER BY revision DESC`;
