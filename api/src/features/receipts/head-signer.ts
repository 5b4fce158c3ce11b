import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { SignedHead } from '../../../../contracts/transparency/signed-head.js';
import { bytesOfHex, hexOf } from '../../../../contracts/transparency/signed-note.js';
import * as merkle from '../../../../contracts/transparency/tree.js';
import { isLossAccepted } from '../../../../domain/history-loss.js';
import { rootOf as rootOfEdge } from '../../../../domain/ledger/tree.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { ReadCheckpoint } from '../../http/read-checkpoint.queries.js';
import { Ledger } from '../../ledger/ledger.js';
import { Background } from '../../platform/background.js';
import { LedgerSigners } from './ledger-signers.js';
import { TILE_VIEWS, TransparencyLogStore } from './transparency-log.store.js';
import { Witnesses } from './witnesses.js';

const SIGN_EVERY_MS = 10_000;
const CHECK_DUE_EVERY_MS = 1_000;
const MIN_HEAD_GAP_MS = 1_000;

/** Signs heads of the ledger: only roots that this node folded itself, and that contain the last head that any node signed. */
@Injectable()
export class HeadSigner {
  /** Why nothing is signed; null while nothing contradicts the log. */
  fault: string | null;
  /** Number of events in the newest head that this node saw; -1: not known yet. */
  private signedSize = -1;
  private isFailing = false;
  private dueAtMonotonicMs = 0;
  private nextAtMonotonicMs = 0;
  private present: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private readonly logger = new Logger('signed heads');

  constructor(
    private readonly log: EventLog,
    private readonly ledger: Ledger,
    private readonly checkpoint: ReadCheckpoint,
    private readonly store: TransparencyLogStore,
    private readonly signers: LedgerSigners,
    private readonly witnesses: Witnesses,
    background: Background,
  ) {
    this.fault = log.historyFault;
    background.every(CHECK_DUE_EVERY_MS, () => this.signIfDue(), 'no head was signed');
    background.every(SIGN_EVERY_MS, () => witnesses.check(), 'the witnesses were not asked again');
    const onError = (error: Error): void => this.logger.warn(`no head was signed: ${error.message}`);
    ledger.onCommitted((committed) => {
      if (committed.some(({ recorded }) => recorded.event.type === 'RoundEnded')) this.sign().catch(onError);
    });
  }

  /** Signs when events came in the last ten seconds or more. Not before a worker has tiles. */
  private async signIfDue(): Promise<void> {
    const hasNews = this.fault !== null || this.ledger.head.tree.size > this.signedSize;
    const isDue = performance.now() >= this.dueAtMonotonicMs && this.checkpoint.positionOf(TILE_VIEWS) !== null;
    if (hasNews && isDue) await this.sign();
  }

  /** Signs the ledger's head as of this call or later, unless the tiles lack events of it. At most once a second. */
  sign(): Promise<void> {
    this.next ??= this.signNext();
    return this.next;
  }

  private async signNext(): Promise<void> {
    await this.present;
    await sleep(Math.max(0, this.nextAtMonotonicMs - performance.now()), undefined, { ref: false });
    this.nextAtMonotonicMs = performance.now() + MIN_HEAD_GAP_MS;
    this.dueAtMonotonicMs = performance.now() + SIGN_EVERY_MS;
    this.next = undefined;
    const signing = this.signNow();
    this.present = signing.catch(() => {});
    await signing;
  }

  private async signNow(): Promise<void> {
    const head = await this.store
      .add((last) => this.noteAfter(last), this.witnesses.needsNone)
      .catch((error: Error) => {
        // The first failure may be a moment without Postgres.
        if (this.isFailing) this.fault ??= `no head can be signed: ${error.message}`;
        this.isFailing = true;
        throw error;
      });
    this.isFailing = false;
    if (head === null) return;
    this.signedSize = head.size;
    this.witnesses.submit(head);
  }

  /** The next head as a note; null when there is none to sign. No other node signs meanwhile. */
  private async noteAfter(last: SignedHead | null): Promise<string | null> {
    // Another node may have signed events that this node has not read yet.
    await this.ledger.refresh();
    const isLost = last !== null && this.ledger.ask(isLossAccepted, last.size, hexOf(last.root));
    if (isLost) this.report(null);
    const { tree, position } = this.ledger.head;
    if (!(await this.checkpoint.reached(position, TILE_VIEWS))) return null;
    const folded: merkle.Head = { size: tree.size, root: bytesOfHex(rootOfEdge(tree)) };
    // The first head of a log must be that of the tiles, too.
    const signed = last === null || last.size === 0 || isLost ? folded : last;
    this.report(await findContradiction(signed, folded, this.store.tileReader()));
    if (this.fault !== null) return null;
    if (last?.size === folded.size && (await this.signers.hasSigned(last))) {
      this.signedSize = last.size;
      return null;
    }
    return this.signers.sign(folded);
  }

  /** Reports a contradiction. While the log is not the signed one, the ledger also decides and appends nothing. */
  private report(contradiction: Contradiction | null): void {
    const fault = contradiction?.message ?? null;
    this.log.historyFault = contradiction?.part === 'log' ? contradiction.message : null;
    if (fault !== this.fault)
      this.logger[fault === null ? 'log' : 'error'](fault ?? 'the log and the tiles are right again');
    this.fault = fault;
  }
}

interface Contradiction {
  /** The wrong part: the log itself, or only the tables. */
  part: 'log' | 'tiles';
  message: string;
}

/** Why the log does not begin with the events of a signed head; null when it does. The tiles are trusted only up to the folded root. */
async function findContradiction(
  signed: merkle.Head,
  folded: merkle.Head,
  readTile: merkle.ReadTile,
): Promise<Contradiction | null> {
  const ofLog = (message: string): Contradiction => ({ part: 'log', message });
  if (signed.size > folded.size)
    return ofLog(`the log has ${folded.size} events, but a head of ${signed.size} events was signed`);
  const root = await merkle.rootOf(signed.size, readTile);
  const proof = await merkle.consistencyProof(signed.size, folded.size, readTile);
  if (!(await merkle.isConsistent({ size: signed.size, root }, folded, proof)))
    return { part: 'tiles', message: 'the tiles (table read.log_tiles) are not those of the log' };
  if (merkle.isSame(root, signed.root)) return null;
  return ofLog(`the log does not begin with the ${signed.size} events of the last head that was signed`);
}
