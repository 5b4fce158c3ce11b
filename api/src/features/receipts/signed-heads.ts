import { scryptSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CHAIN_START } from '../../../../domain/ledger/chain.js';
import { Ledger } from '../../ledger/ledger.js';
import { Clock } from '../../platform/clock.js';
import type { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { RawEvents } from '../audit/raw-events.js';
import { type NoteSigner, noteSigner, signedNote } from './signed-note.js';

const SEED_BYTES = 32;
const SALT = 'omni-jackpot ledger signing key 1';

/** The keys that sign checkpoints: the one in force, then the one that it replaces, if there is one. */
export class LedgerSigners {
  readonly all: readonly NoteSigner[];

  constructor({ linkOrigin, ledgerSigningSecrets }: Pick<Config, 'linkOrigin' | 'ledgerSigningSecrets'>) {
    const name = `${new URL(linkOrigin).host}/ledger`;
    this.all = ledgerSigningSecrets.map((secret) => noteSigner(name, seedOf(secret)));
  }

  get current(): NoteSigner {
    return this.all[0] as NoteSigner;
  }
}

/** Anyone can test guesses of the secret against the public key, so each guess is made to cost time and memory. */
const seedOf = (secret: string): Buffer => scryptSync(secret, SALT, SEED_BYTES);

/** A checkpoint of the ledger's head is served for this long. */
const MAX_AGE_MS = 10_000;
const EARLIER_KEPT = 1_000;
/** Short, so that a log that was replaced under this node shows itself. */
const EARLIER_AGE_MS = 60_000;

/** The ledger after its first `size` events. */
interface Head {
  size: number;
  /** Chain of the last of these events, hex. */
  chain: string;
  position: string;
}

/** Signs the ledger's head, and its heads at earlier sizes, in the form of C2SP's tlog-checkpoint. */
@Injectable()
export class Checkpoints {
  private newest: { text: string; madeAtMs: number } | null = null;
  private readonly earlier = new LRUCache<number, Promise<string>>({ max: EARLIER_KEPT, ttl: EARLIER_AGE_MS });

  constructor(
    private readonly ledger: Ledger,
    private readonly raw: RawEvents,
    private readonly clock: Clock,
    private readonly signers: LedgerSigners,
  ) {
    ledger.onCommitted((committed) => {
      if (committed.some(({ recorded }) => recorded.event.type === 'RoundEnded')) this.newest = null;
    });
  }

  /** The signed head, at most ten seconds old, and never from before the last round's end. */
  latest(): string {
    const nowMs = performance.now();
    if (this.newest === null || nowMs - this.newest.madeAtMs >= MAX_AGE_MS) {
      const { revision, chain, position } = this.ledger.head;
      this.newest = { text: this.sign({ size: revision + 1, chain, position }), madeAtMs: nowMs };
    }
    return this.newest.text;
  }

  /** The signed head as of an earlier size, from the log. Throws Refused when the log is shorter. */
  at(size: number): Promise<string> {
    const known = this.earlier.get(size);
    if (known) return known;
    const reading = this.readAt(size);
    this.earlier.set(size, reading);
    reading.catch(() => this.earlier.delete(size));
    return reading;
  }

  private async readAt(size: number): Promise<string> {
    if (size === 0) return this.sign({ size, chain: CHAIN_START, position: '0' });
    const revision = size - 1;
    for await (const { metadata, position } of this.raw.range({ from: revision, to: revision })) {
      return this.sign({ size, chain: metadata.chain, position });
    }
    throw new Refused({ code: 'event-not-found', parameters: { number: size } });
  }

  /** The third line is the head of the hash chain, not the tree's root. `key` lets the former key vouch for a new one. */
  private sign({ size, chain, position }: Head): string {
    const { name, verifierKey } = this.signers.current;
    const lines = [
      name,
      String(size),
      Buffer.from(chain, 'hex').toString('base64'),
      `time ${new Date(this.clock.now()).toISOString()}`,
      `position ${position}`,
      `key ${verifierKey}`,
    ];
    return signedNote(lines.map((line) => `${line}\n`).join(''), this.signers.all);
  }
}
