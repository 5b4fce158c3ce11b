import { Injectable } from '@nestjs/common';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import type { RoundId } from '../../../../contracts/ids.js';
import * as proofs from '../../../../contracts/transparency/proof-file.js';
import { bytesOfHex } from '../../../../contracts/transparency/signed-note.js';
import { inclusionProof, isIncluded, leafHash } from '../../../../contracts/transparency/tree.js';
import { CHAIN_START, contentHashOf } from '../../../../domain/ledger/chain.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { LedgerIndexQueries } from '../audit/ledger-index.queries.js';
import { RawEvents, type RevisionRange } from '../audit/raw-events.js';
import { HeadSigner } from './head-signer.js';
import { LogTilesQueries } from './log-tiles.queries.js';
import { SignedHeadsStore } from './signed-heads.store.js';

/** Proofs that can be checked offline (c2sp.org/tlog-proof, docs/receipts.md). */
@Injectable()
export class LedgerProofs {
  constructor(
    private readonly raw: RawEvents,
    private readonly index: LedgerIndexQueries,
    private readonly heads: SignedHeadsStore,
    private readonly signer: HeadSigner,
    private readonly tiles: LogTilesQueries,
  ) {}

  /** The proof of an event that the reader may open. Throws Refused for any other event, and beyond the log's end. */
  async ofEvent(revision: number, mayOpen: (event: RecordedLedgerEvent) => boolean): Promise<string> {
    const { chainBefore, events } = await this.read({ from: revision, to: revision });
    const [event] = events;
    if (!event || !mayOpen(event)) throw new Refused({ code: 'event-not-found', parameters: { number: revision + 1 } });
    return this.write(event, chainBefore, [opened(event)]);
  }

  /**
   * The event that ended a round, and all events from the last purchase on: no other purchase stands between. The purchase
   * stays closed, because it names the winner's uplines; the extension that it caused names purchase and buyer.
   */
  async ofRoundEnd(roundId: RoundId): Promise<string> {
    const round = await this.index.rangeOfEndedRound(roundId);
    const [end] = await this.raw.atRevisions([round.to]);
    if (end?.event.type !== 'RoundEnded')
      throw new Unavailable(`event ${round.to + 1} is not the end of round ${roundId}`);
    const winningId = end.event.data.winner?.purchaseId;
    const from = winningId === undefined ? round.to : await this.index.revisionOfPurchase(winningId);
    const { chainBefore, events } = await this.read({ from, to: round.to });
    const isOpened = ({ event }: RecordedLedgerEvent) =>
      event.type === 'RoundEnded' || (event.type === 'TimeExtended' && event.data.purchaseId === winningId);
    const shown = events.map((one) => (isOpened(one) ? opened(one) : closed(one)));
    return this.write(end, chainBefore, shown);
  }

  private async read({ from, to }: RevisionRange): Promise<{ chainBefore: string; events: RecordedLedgerEvent[] }> {
    let chainBefore = CHAIN_START;
    const events: RecordedLedgerEvent[] = [];
    for await (const one of this.raw.range({ from: Math.max(0, from - 1), to })) {
      if (one.revision < from) chainBefore = one.metadata.chain;
      else events.push(one);
    }
    return { chainBefore, events };
  }

  /** Writes the proof of the last of the events. Throws Unavailable when the tiles do not lead to the head. */
  private async write(
    { revision: index, metadata }: RecordedLedgerEvent,
    chainBefore: string,
    events: readonly (proofs.OpenedEvent | proofs.ClosedEvent)[],
  ): Promise<string> {
    let head = await this.heads.covering(index);
    if (head === null) {
      await this.signer.sign();
      head = await this.heads.covering(index);
    }
    if (head === null) throw new Unavailable(`no signed head covers event ${index + 1} yet`);
    const hashes = await inclusionProof(index, head.size, this.tiles.reader());
    const isProved = await isIncluded(index, await leafHash(bytesOfHex(metadata.chain)), head, hashes);
    if (!isProved) throw new Unavailable(`the tiles do not prove event ${index + 1}`);
    return proofs.writeProofFile({ extra: { format: proofs.PROOF_FORMAT, chainBefore, events }, index, hashes, head });
  }
}

function opened({ id, event, metadata }: RecordedLedgerEvent): proofs.OpenedEvent {
  const { chain: _, ...covered } = metadata;
  return { id, type: event.type, data: { ...event.data }, metadata: covered };
}

const closed = ({ id, event, metadata }: RecordedLedgerEvent): proofs.ClosedEvent => ({
  type: event.type,
  contentHash: contentHashOf(id, event.data, metadata),
});
