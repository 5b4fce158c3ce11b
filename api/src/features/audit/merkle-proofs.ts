import { Injectable } from '@nestjs/common';
import type { AuditMerkleProof } from '../../../../contracts/http/audit.js';
import { leafHash, merkleEntryOf, ProvenTree, rootFromProof } from '../../../../domain/ledger/merkle.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { assertEventExists } from './audit-events.js';
import { LedgerIndexQueries } from './ledger-index.queries.js';
import { RawEvents, type RevisionRange } from './raw-events.js';

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

  /** @param closed aborted when the client has closed the request */
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
