import { SealKeys } from '../platform/seal-keys.js';

/** The content of a snapshot: a state, by the digests of its chunks, of a log, by its chain. */
export interface SealedContent {
  /** Names the program that folded. */
  fold: string;
  revision: number;
  /** The chain of the event at that revision: it stands for all events up to there. */
  chain: string;
  /** SHA-256 of each chunk, one after another. */
  digests: Buffer;
}

/** Seals snapshots under a key that Postgres does not hold, so that only nodes with the key can make one. */
export class SnapshotSeal {
  private readonly keys: SealKeys;

  /** @param secrets the one in force first; the others are accepted */
  constructor(secrets: readonly string[]) {
    this.keys = new SealKeys(secrets, 'omni-jackpot ledger snapshots 1');
  }

  of(content: SealedContent): Buffer {
    return this.keys.of(textOf(content));
  }

  isGenuine({ seal, ...content }: SealedContent & { seal: Buffer }): boolean {
    return this.keys.isGenuine(textOf(content), seal);
  }
}

const textOf = ({ fold, revision, chain, digests }: SealedContent): string =>
  `omni-jackpot ledger snapshot\n${fold}\n${revision}\n${chain}\n${digests.toString('hex')}\n`;
