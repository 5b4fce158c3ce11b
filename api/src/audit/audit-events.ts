import { Injectable } from '@nestjs/common';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import {
  type AuditEvent,
  type AuditMoment,
  type AuditRoundsResponse,
  BOOK_ACCOUNTS,
} from '../../../contracts/http/audit.js';
import { enter } from '../../../domain/books.js';
import { CHAIN_START, chainAfter } from '../../../domain/chain.js';
import { postings } from '../../../domain/postings.js';
import { GamerNames, type NameOf } from '../gamers/gamer-names.queries.js';
import { Refused, Unavailable } from '../http/refused.js';
import { factsOf } from './event-facts.js';
import { gamersIn, named } from './event-gamers.js';
import { LedgerIndexQueries } from './ledger-index.queries.js';
import { lineOf } from './ledger-pages.js';
import { postingsInWords } from './posting-words.js';
import { RawEvents } from './raw-events.js';

/** A single event, the books as they stood after it, and the rounds. Numbers are people's: the first event is 1. */
@Injectable()
export class AuditEvents {
  constructor(
    private readonly index: LedgerIndexQueries,
    private readonly raw: RawEvents,
    private readonly names: GamerNames,
  ) {}

  async moment(number: number): Promise<AuditMoment> {
    const lastNumber = await this.index.lastNumber();
    assertThere(number, lastNumber);
    const kept = await this.index.booksBefore(number - 1);
    const { books } = kept;
    let atEpochMs = kept.atMs;
    for await (const { event, metadata } of this.raw.stretch({ from: kept.revision + 1, to: number - 1 })) {
      enter(books, event, postings(event));
      atEpochMs = metadata.at;
    }
    const accounts = BOOK_ACCOUNTS.map((account) => ({ account, cents: books.accounts[account] }));
    const sumCents = accounts.reduce((sum, { cents }) => sum + cents, 0);
    return { number, lastNumber, atEpochMs, round: books.round, accounts, sumCents };
  }

  async rounds(): Promise<AuditRoundsResponse> {
    const [oldest, newest, rounds] = await Promise.all([
      this.index.oldest(),
      this.index.newest(),
      this.index.endedRounds(),
    ]);
    if (!oldest || !newest) throw new Unavailable('the tables have seen no event of the ledger');
    return {
      rounds,
      firstAtEpochMs: oldest.atMs,
      lastNumber: newest.revision + 1,
      lastAtEpochMs: newest.atMs,
    };
  }

  async event(number: number): Promise<AuditEvent> {
    assertThere(number, await this.index.lastNumber());
    const revision = number - 1;
    const [one, previous] = await this.raw.at(revision === 0 ? [revision] : [revision, revision - 1]);
    if (!one) throw new Error(`event ${number} was not read`);
    const nameOf = await this.names.of(gamersIn(one));
    return this.told(one, previous?.metadata.chain ?? CHAIN_START, nameOf);
  }

  private async told(recorded: RecordedLedgerEvent, before: string, nameOf: NameOf): Promise<AuditEvent> {
    const { id, stream, revision, position, event, metadata } = recorded;
    const { type, data } = event;
    const { actor, commandId, chain: stored } = metadata;
    const roundId = 'roundId' in data ? data.roundId : null;
    const isProvable = type === 'TokenPurchased' && (await this.index.stretchOfEnded(data.roundId)) !== null;
    return {
      ...lineOf(recorded, nameOf),
      id,
      roundId,
      by: { gamer: named(actor.id === 'system' ? null : actor.id, nameOf), role: actor.role },
      commandId,
      facts: factsOf(event, nameOf),
      postings: postingsInWords(event, nameOf),
      chain: { before, stored, recomputed: chainAfter(before, id, event, metadata) },
      hasProof: isProvable,
      recorded: { id, stream, revision, position, type, data, metadata },
    };
  }
}

export function assertThere(number: number, lastNumber: number): void {
  if (number < 1 || number > lastNumber) throw new Refused({ code: 'event-not-found', parameters: { number } });
}
