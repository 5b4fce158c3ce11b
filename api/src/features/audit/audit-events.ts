import { Injectable } from '@nestjs/common';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import {
  type AuditEvent,
  type AuditMerkleProof,
  type AuditRoundsResponse,
  type AuditTrialBalance,
  TRIAL_BALANCE_ACCOUNTS,
} from '../../../../contracts/http/audit.js';
import type { LedgerEventProof } from '../../../../contracts/http/receipts.js';
import type { RoundId } from '../../../../contracts/ids.js';
import { CHAIN_START, chainAfter } from '../../../../domain/ledger/chain.js';
import { leafHash, merkleEntryOf, ProvenTree, rootFromProof } from '../../../../domain/ledger/merkle.js';
import { postings } from '../../../../domain/ledger/postings.js';
import { addToTrialBalance } from '../../../../domain/ledger/trial-balance.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { PersonalTexts } from '../../platform/personal-texts/personal-texts.js';
import { GamerNames, type NameOf } from '../gamers/gamers.queries.js';
import { auditGamer, describeFacts, describePostings, gamersIn } from './descriptions/event-descriptions.js';
import { LedgerIndexQueries } from './ledger-index.queries.js';
import { lineOf } from './ledger-pages.js';
import { RawEvents, type RevisionRange } from './raw-events.js';

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
    const [one, previous] = await this.raw.at(revision === 0 ? [revision] : [revision, revision - 1]);
    if (!one) throw new Error(`event ${number} was not read`);
    const nameOf = await this.names.of(gamersIn(one));
    return this.describe(one, previous?.metadata.chain ?? CHAIN_START, nameOf);
  }

  private async describe(recorded: RecordedLedgerEvent, before: string, nameOf: NameOf): Promise<AuditEvent> {
    const { id, stream, revision, position, event, metadata } = recorded;
    const { type, data } = event;
    const { actor, commandId, chain: stored } = metadata;
    // The texts are for reading; the chain is over the event as it was recorded.
    const opened = await this.texts.decrypt(recorded);
    const roundId = 'roundId' in data ? data.roundId : null;
    const isProvable = type === 'TokenPurchased' && (await this.index.rangeOfEndedRound(data.roundId)) !== null;
    return {
      ...lineOf(opened, nameOf),
      id,
      roundId,
      by: { gamer: auditGamer(actor.id === 'system' ? null : actor.id, nameOf), role: actor.role },
      commandId,
      facts: describeFacts(opened.event, nameOf),
      postings: describePostings(event, nameOf),
      chain: { before, stored, recomputed: chainAfter(before, id, event, metadata) },
      hasProof: isProvable,
      recorded: { id, stream, revision, position, type, data, metadata },
    };
  }
}

export function assertEventExists(number: number, lastNumber: number): void {
  if (number < 1 || number > lastNumber) throw new Refused({ code: 'event-not-found', parameters: { number } });
}

/** Back-pressure limit: each proof reads a whole round, so the last of a longer queue would time out. */
const MAX_WAITING = 10;

/** Proves purchases against their rounds' Merkle roots, one at a time: a proof needs every purchase of the round. */
@Injectable()
export class MerkleProofs {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  constructor(
    private readonly index: LedgerIndexQueries,
    private readonly raw: RawEvents,
  ) {}

  async of(number: number, closed: AbortSignal): Promise<AuditMerkleProof> {
    assertEventExists(number, await this.index.lastNumber());
    const [bought] = await this.raw.at([number - 1]);
    if (bought?.event.type !== 'TokenPurchased') throw new Refused('no-merkle-proof');
    const { data } = bought.event;
    const round = await this.index.rangeOfEndedRound(data.roundId);
    if (!round) throw new Refused('no-merkle-proof');
    const leaf = merkleEntryOf(data, bought.metadata.at);
    return this.inTurn(() => this.prove(round, { number, leaf }, closed));
  }

  private async prove(round: RevisionRange, { number, leaf }: { number: number; leaf: string }, closed: AbortSignal) {
    const tree = new ProvenTree();
    for await (const { revision, event, metadata } of this.raw.range(round)) {
      if (closed.aborted) throw new Unavailable('the client closed the request for the proof');
      if (event.type === 'TokenPurchased') tree.add(merkleEntryOf(event.data, metadata.at), revision === number - 1);
      if (event.type !== 'RoundEnded') continue;
      if (tree.index === undefined) break;
      const { roundId, merkleRoot: root } = event.data;
      const own = leafHash(leaf);
      const path = tree.finish();
      return {
        roundId,
        endedNumber: revision + 1,
        treeSize: tree.size,
        leafIndex: tree.index,
        leaf,
        leafHash: own.toString('hex'),
        path,
        root,
        recomputedRoot: rootFromProof(own, path),
      };
    }
    throw new Error(`event ${number} is not among the events of its round`);
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting >= MAX_WAITING) throw new Unavailable('too many requests wait for a Merkle proof');
    this.waiting += 1;
    const turn = this.last.then(work);
    this.last = turn.catch(() => {});
    return turn.finally(() => {
      this.waiting -= 1;
    });
  }
}

/** Chains are public, as checkpoints carry them; an event's id is in its receipt only, and opens the event. */
@Injectable()
export class LedgerProofs {
  constructor(
    private readonly raw: RawEvents,
    private readonly index: LedgerIndexQueries,
  ) {}

  /** Throws Refused when the log has another event, or none, at the revision. */
  async event(revision: number, id: string): Promise<LedgerEventProof> {
    return this.find(revision, (one) => one.id === id);
  }

  /** The event that ended a round: it names the winner and the Merkle root. */
  async roundEnd(roundId: RoundId): Promise<LedgerEventProof> {
    const round = await this.index.rangeOfEndedRound(roundId);
    if (round === null) throw new Refused('round-not-ended');
    return this.find(round.to, ({ event }) => event.type === 'RoundEnded' && event.data.roundId === roundId);
  }

  private async find(revision: number, isMeant: (one: RecordedLedgerEvent) => boolean): Promise<LedgerEventProof> {
    let chainBefore = CHAIN_START;
    for await (const one of this.raw.range({ from: Math.max(0, revision - 1), to: revision })) {
      if (one.revision === revision && isMeant(one)) return { chainBefore, recorded: recordOf(one) };
      chainBefore = one.metadata.chain;
    }
    throw new Refused({ code: 'event-not-found', parameters: { number: revision + 1 } });
  }
}

function recordOf(recorded: RecordedLedgerEvent): LedgerEventProof['recorded'] {
  const { id, stream, revision, position, event, metadata } = recorded;
  return { id, stream, revision, position, type: event.type, data: { ...event.data }, metadata: { ...metadata } };
}
