import { Injectable } from '@nestjs/common';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import {
  type AuditEvent,
  type AuditRoundsResponse,
  type AuditTrialBalance,
  TRIAL_BALANCE_ACCOUNTS,
} from '../../../../contracts/http/audit.js';
import { CHAIN_START, chainAfter } from '../../../../domain/ledger/chain.js';
import { postings } from '../../../../domain/ledger/postings.js';
import { addToTrialBalance } from '../../../../domain/ledger/trial-balance.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { PersonalTexts } from '../../platform/personal-texts/personal-texts.js';
import { GamerNames } from '../gamers/gamers.queries.js';
import { auditGamer, describeFacts, describePostings, gamersIn } from './descriptions/event-descriptions.js';
import { LedgerIndexQueries } from './ledger-index.queries.js';
import { lineOf } from './ledger-pages.js';
import { RawEvents } from './raw-events.js';

/** Single events, the trial balance as of an event, and the rounds. Event numbers start at 1. */
@Injectable()
export class AuditEvents {
  constructor(
    private readonly index: LedgerIndexQueries,
    private readonly raw: RawEvents,
    private readonly names: GamerNames,
    private readonly texts: PersonalTexts,
  ) {}

  async trialBalanceAsOf(number: number): Promise<AuditTrialBalance> {
    const lastNumber = await this.index.lastNumber();
    assertEventExists(number, lastNumber);
    const saved = await this.index.trialBalanceBefore(number - 1);
    const { trialBalance } = saved;
    let atEpochMs = saved.atMs;
    for await (const { event, metadata } of this.raw.range({ from: saved.revision + 1, to: number - 1 })) {
      addToTrialBalance(trialBalance, event, postings(event));
      atEpochMs = metadata.at;
    }
    const accounts = TRIAL_BALANCE_ACCOUNTS.map((account) => ({ account, cents: trialBalance.accounts[account] }));
    const sumCents = accounts.reduce((sum, { cents }) => sum + cents, 0);
    return { number, lastNumber, atEpochMs, round: trialBalance.round, accounts, sumCents };
  }

  async rounds(): Promise<AuditRoundsResponse> {
    const [oldest, newest, rounds] = await Promise.all([
      this.index.oldest(),
      this.index.newest(),
      this.index.endedRounds(),
    ]);
    if (!oldest || !newest) throw new Unavailable('the read models have no ledger event yet');
    return {
      rounds,
      firstAtEpochMs: oldest.atMs,
      lastNumber: newest.revision + 1,
      lastAtEpochMs: newest.atMs,
    };
  }

  async event(number: number): Promise<AuditEvent> {
    assertEventExists(number, await this.index.lastNumber());
    const revision = number - 1;
    const read = await this.raw.at(revision === 0 ? [revision] : [revision, revision - 1]);
    const [one, previous] = read as [RecordedLedgerEvent, RecordedLedgerEvent?];
    const { id, stream, position, event, metadata } = one;
    const { type, data } = event;
    const { actor, commandId, chain: stored } = metadata;
    const before = previous?.metadata.chain ?? CHAIN_START;
    const nameOf = await this.names.of(gamersIn(one));
    // The texts are for reading; the chain is over the event as it was recorded.
    const opened = await this.texts.decrypt(one);
    return {
      ...lineOf(opened, nameOf),
      id,
      roundId: 'roundId' in data ? data.roundId : null,
      by: { gamer: auditGamer(actor.id === 'system' ? null : actor.id, nameOf), role: actor.role },
      commandId,
      facts: describeFacts(opened.event, nameOf),
      postings: describePostings(event, nameOf),
      chain: { before, stored, recomputed: chainAfter(before, id, event, metadata) },
      recorded: { id, stream, revision, position, type, data, metadata },
    };
  }
}

export function assertEventExists(number: number, lastNumber: number): void {
  if (number < 1 || number > lastNumber) throw new Refused({ code: 'event-not-found', parameters: { number } });
}
