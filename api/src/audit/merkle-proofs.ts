import { Injectable } from '@nestjs/common';
import type { AuditMerkleProof } from '../../../contracts/http/audit.js';
import { leafOf } from '../../../domain/leaf.js';
import { leafHash, ProvenTree, rootFromProof } from '../../../domain/merkle.js';
import { Refused, Unavailable } from '../http/refused.js';
import { assertThere } from './audit-events.js';
import { LedgerIndexQueries } from './ledger-index.queries.js';
import { RawEvents, type Stretch } from './raw-events.js';

/** Each reads a whole round: whoever comes now would wait for longer than a browser does. */
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

  /** @param gone aborted when nobody waits for the answer any more */
  async of(number: number, gone: AbortSignal): Promise<AuditMerkleProof> {
    assertThere(number, await this.index.lastNumber());
    const [bought] = await this.raw.at([number - 1]);
    if (bought?.event.type !== 'TokenPurchased') throw new Refused('no-merkle-proof');
    const { data } = bought.event;
    const round = await this.index.stretchOfEnded(data.roundId);
    if (!round) throw new Refused('no-merkle-proof');
    const leaf = leafOf(data, bought.metadata.at);
    return this.inTurn(() => this.prove(round, { number, leaf }, gone));
  }

  private async prove(round: Stretch, { number, leaf }: { number: number; leaf: string }, gone: AbortSignal) {
    const tree = new ProvenTree();
    for await (const { revision, event, metadata } of this.raw.stretch(round)) {
      if (gone.aborted) throw new Unavailable('whoever asked for the proof has gone');
      if (event.type === 'TokenPurchased') tree.add(leafOf(event.data, metadata.at), revision === number - 1);
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
    throw new Error(`event ${number} is not in the stretch of its round`);
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting >= MAX_WAITING) throw new Unavailable('too many wait for a Merkle proof');
    this.waiting += 1;
    const turn = this.last.then(work);
    this.last = turn.catch(() => {});
    return turn.finally(() => {
      this.waiting -= 1;
    });
  }
}
