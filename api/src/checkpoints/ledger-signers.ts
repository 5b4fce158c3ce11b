import { scryptSync } from 'node:crypto';
import type { Config } from '../platform/config.js';
import { type NoteSigner, noteSigner } from './signed-note.js';

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
