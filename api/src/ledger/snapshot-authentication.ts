import { createHmac, scryptSync, timingSafeEqual } from 'node:crypto';

const SALT = 'omni-jackpot ledger snapshots 1';
const KEY_BYTES = 32;

/** The content of a snapshot: a state, by the digests of its chunks, of a log, by its chain. */
export interface SnapshotContent {
  /** Names the program that folded. */
  fold: string;
  revision: number;
  /** The chain of the event at that revision: it stands for all events up to there. */
  chain: string;
  /** Hashes of the right edge of the tree up to that event, one after another, hex. */
  tree: string;
  /** SHA-256 of each chunk, one after another. */
  digests: Buffer;
}

/** Authenticates snapshots with an HMAC-SHA-256 under a key that Postgres does not hold, so that only nodes can make one. */
export class SnapshotAuthenticator {
  private readonly keys: readonly Buffer[];

  /** @param secrets the one in force first; the others are accepted */
  constructor(secrets: readonly string[]) {
    // A reader of Postgres can test guesses of the secret, so each guess costs time and memory.
    this.keys = secrets.map((secret) => scryptSync(secret, SALT, KEY_BYTES));
  }

  macOf(content: SnapshotContent): Buffer {
    return macUnder(this.keys[0] as Buffer, content);
  }

  isAuthentic({ mac, ...content }: SnapshotContent & { mac: Buffer }): boolean {
    return this.keys.some((key) => {
      const due = macUnder(key, content);
      return due.length === mac.length && timingSafeEqual(due, mac);
    });
  }
}

const macUnder = (key: Buffer, { fold, revision, chain, tree, digests }: SnapshotContent): Buffer =>
  createHmac('sha256', key)
    .update(`omni-jackpot ledger snapshot\n${fold}\n${revision}\n${chain}\n${tree}\n${digests.toString('hex')}\n`)
    .digest();
