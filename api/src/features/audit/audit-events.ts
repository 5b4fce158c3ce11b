import { Injectable } from '@nestjs/common';
import type { LedgerEvents, LedgerEventType } from '../../../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import * as http from '../../../../contracts/http/audit.js';
import type { GatewayPaymentId, RoundId } from '../../../../contracts/ids.js';
import * as limits from '../../../../contracts/limits.js';
import { outcomeText, type PurchaseOutcome } from '../../../../contracts/purchase-outcome.js';
import { CHAIN_START, chainAfter } from '../../../../domain/ledger/chain.js';
import { postings } from '../../../../domain/ledger/postings.js';
import { addToTrialBalance } from '../../../../domain/ledger/trial-balance.js';
import { isIndexedType, ledgerKeyOf } from '../../../../projections/src/views/tables.entity.js';
import { optionalNumber, optionalOneOf, optionalQuery } from '../../http/validation.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { PersonalTexts } from '../../platform/personal-texts.store.js';
import { GamerTags, type TagOf } from '../gamers/gamers.queries.js';
import * as descriptions from './descriptions/event-descriptions.js';
import {
  type EventSearch,
  LedgerIndexQueries,
  matches,
  PurchaseOutcomes,
  RawEvents,
  type RevisionRange,
  WHOLE_LEDGER,
} from './ledger-index.queries.js';

/** Upper limit of events read for one page. A page that reaches it is returned short, and the next page continues. */
const MAX_READ_PER_PAGE = 5_000;

/** The greatest round number that the read models can hold. */
const MAX_ROUND = 2_147_483_647;

export class LedgerQuery {
  @optionalNumber(Number.MAX_SAFE_INTEGER, 'before must be the number of an event') before?: number;
  @optionalNumber(limits.MAX_PAGE_SIZE, `count must be a whole number from 1 to ${limits.MAX_PAGE_SIZE}`)
  count: number = limits.AUDIT_PAGE_SIZE;
  @optionalOneOf(http.LEDGER_EVENT_TYPES, 'type must be the type of an event of the ledger') type?: LedgerEventType;
  @optionalNumber(MAX_ROUND, 'roundId must be the number of a round') roundId?: RoundId;

  /** An event's number, a gamer, or the beginning of an id or a hash. */
  @optionalQuery(limits.QUERY_MAX_LENGTH, `find must be a text of at most ${limits.QUERY_MAX_LENGTH} characters`)
  find?: string;
}

/** The ledger by pages, single events, the trial balance as of an event, and the rounds. Event numbers start at 1. */
@Injectable()
export class AuditEvents {
  constructor(
    private readonly index: LedgerIndexQueries,
    private readonly raw: RawEvents,
    private readonly tags: GamerTags,
    private readonly outcomes: PurchaseOutcomes,
    private readonly texts: PersonalTexts,
  ) {}

  /** A page of the ledger, newest first. An index names the candidates; the log has the events. */
  async page(request: LedgerQuery): Promise<http.AuditLedgerResponse> {
    const lastNumber = await this.index.lastNumber();
    const range = await this.rangeOf(request, lastNumber);
    const search = request.find ? await this.index.searchOf(request.find) : undefined;
    const { events, nextBefore } = range ? await this.find(request, search, range) : { events: [], nextBefore: null };
    const tagOf = await this.tags.of(events.flatMap(descriptions.gamersIn));
    return { events: await this.linesOf(await this.texts.decrypt(events), tagOf), nextBefore };
  }

  /** The lines of the events that recorded these payments for review, by payment. */
  async recordsOf(paymentIds: readonly GatewayPaymentId[]): Promise<Map<GatewayPaymentId, http.AuditLine>> {
    const search = { text: '', revision: null, accounts: [], keys: paymentIds.map(ledgerKeyOf), prefix: null };
    const revisions = await this.index.revisions(search, 'DepositRecorded', WHOLE_LEDGER, paymentIds.length);
    const events = await this.raw.atRevisions(revisions);
    const tagOf = await this.tags.of(events.flatMap(descriptions.gamersIn));
    const paymentIdOf = ({ event: { data } }: RecordedLedgerEvent) =>
      (data as LedgerEvents['DepositRecorded']).paymentId;
    return new Map(events.map((one) => [paymentIdOf(one), lineOf(one, tagOf)]));
  }

  private async linesOf(opened: readonly RecordedLedgerEvent[], tagOf: TagOf): Promise<http.AuditLine[]> {
    const bought = opened.filter(({ event }) => event.type === 'TokenPurchased');
    const outcomes = await this.outcomes.of(bought.map(({ revision }) => revision));
    return opened.map((one) => lineOf(one, tagOf, outcomes.get(one.revision)));
  }

  private async rangeOf({ before, roundId }: LedgerQuery, lastNumber: number): Promise<RevisionRange | null> {
    const round = roundId === undefined ? WHOLE_LEDGER : await this.index.rangeOfRound(roundId);
    // An event's number is its revision plus one, and the page ends before `before`.
    const last = Math.min(lastNumber - 1, (before ?? Number.MAX_SAFE_INTEGER) - 2);
    return round && { from: round.from, to: Math.min(round.to, last) };
  }

  /** Newest first. Finds one event more than the page holds, which tells whether there is another page. */
  private async find({ count, type }: LedgerQuery, search: EventSearch | undefined, { from, to }: RevisionRange) {
    const atOnce = count + 1;
    const events: RecordedLedgerEvent[] = [];
    let left = MAX_READ_PER_PAGE;
    let next = to;
    while (events.length <= count && left > 0 && next >= from) {
      const revisions = await this.candidates(type, search, { from, to: next }, atOnce);
      const read = await this.raw.atRevisions(revisions);
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
    if (search) return this.index.revisions(search, type, range, limit);
    if (isIndexedType(type)) return this.index.ofType(type, range, limit);
    const { from, to } = range;
    return Array.from({ length: Math.min(limit, to - from + 1) }, (_, i) => to - i);
  }

  async trialBalanceAsOf(number: number): Promise<http.AuditTrialBalance> {
    assertEventExists(number, await this.index.lastNumber());
    const saved = await this.index.trialBalanceBefore(number - 1);
    const { trialBalance } = saved;
    let atMs = saved.atMs;
    for await (const { event, metadata } of this.raw.range({ from: saved.revision + 1, to: number - 1 })) {
      addToTrialBalance(trialBalance, event, postings(event));
      atMs = metadata.at;
    }
    const accounts = http.TRIAL_BALANCE_ACCOUNTS.map((account) => ({ account, cents: trialBalance.accounts[account] }));
    const sumCents = accounts.reduce((sum, { cents }) => sum + cents, 0);
    return { number, atMs, round: trialBalance.round, accounts, sumCents };
  }

  async rounds(): Promise<http.AuditRoundsResponse> {
    const [oldest, rounds] = await Promise.all([this.index.oldest(), this.index.endedRounds()]);
    if (!oldest) throw new Unavailable('the read models have no ledger event yet');
    return { rounds, firstAtMs: oldest.atMs, lastNumber: await this.index.lastNumber() };
  }

  async event(number: number): Promise<http.AuditEvent> {
    assertEventExists(number, await this.index.lastNumber());
    const revision = number - 1;
    const read = await this.raw.atRevisions(revision === 0 ? [revision] : [revision, revision - 1]);
    const [one, previous] = read as [RecordedLedgerEvent, RecordedLedgerEvent?];
    const { id, stream, position, event, metadata } = one;
    const { type, data } = event;
    const { actor, commandId, chain: stored } = metadata;
    const before = previous?.metadata.chain ?? CHAIN_START;
    const tagOf = await this.tags.of(descriptions.gamersIn(one));
    // The texts are for reading; the chain is over the event as it was recorded.
    const opened = await this.texts.decrypt(one);
    const [line] = (await this.linesOf([opened], tagOf)) as [http.AuditLine];
    return {
      ...line,
      id,
      roundId: 'roundId' in data ? data.roundId : null,
      by: { gamer: descriptions.auditGamer(actor.id === 'system' ? null : actor.id, tagOf), role: actor.role },
      commandId,
      fields: descriptions.describeFields(opened.event, tagOf),
      postings: descriptions.describePostings(event, tagOf),
      chain: { before, stored, recomputed: chainAfter(before, id, event, metadata) },
      recorded: { id, stream, revision, position, type, data, metadata },
    };
  }
}

function assertEventExists(number: number, lastNumber: number): void {
  if (number < 1 || number > lastNumber) throw new Refused({ code: 'event-not-found', parameters: { number } });
}

const numberOf = ({ revision }: RecordedLedgerEvent): number => revision + 1;

function lineOf(one: RecordedLedgerEvent, tagOf: TagOf, outcome?: PurchaseOutcome): http.AuditLine {
  const { event, metadata } = one;
  return {
    number: numberOf(one),
    atMs: metadata.at,
    type: event.type,
    gamer: descriptions.auditGamer(descriptions.subjectOf(event), tagOf),
    summary: [descriptions.describeSummary(one, tagOf), ...(outcome ? [outcomeText(outcome)] : [])].join(', '),
    movesCents: postings(event).reduce((sum, { cents }) => sum + Math.max(cents, 0), 0),
  };
}
