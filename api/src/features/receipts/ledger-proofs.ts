import { Injectable } from '@nestjs/common';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import type { LedgerEventProof } from '../../../../contracts/http/receipts.js';
import type { RoundId } from '../../../../contracts/ids.js';
import { CHAIN_START } from '../../../../domain/ledger/chain.js';
import { Refused } from '../../platform/failures.js';
import { LedgerIndexQueries } from '../audit/ledger-index.queries.js';
import { RawEvents } from '../audit/raw-events.js';

/**
 * Single events for anyone who may see them. Chain hashes are public, because checkpoints carry them; an event's id is in
 * its receipt only, so a client that knows the id holds the receipt.
 */
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
