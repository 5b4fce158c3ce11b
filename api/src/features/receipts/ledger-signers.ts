import { scryptSync } from 'node:crypto';
import { headText, type SignedHead } from '../../../../contracts/transparency/signed-head.js';
import { createSigner, ED25519, type Signer, signatureLine } from '../../../../contracts/transparency/signed-note.js';
import type { Head } from '../../../../contracts/transparency/tree.js';
import type { Config } from '../../platform/config.js';

const SEED_BYTES = 32;
const SALT = 'omni-jackpot ledger signing key 1';

/** Anyone can test guesses of the secret against the public key, so each guess is made to cost time and memory. */
const seedOf = (secret: string): Buffer => scryptSync(secret, SALT, SEED_BYTES);

/** The keys that sign the ledger's heads: the one in force, then the one that it replaces, if there is one. */
export class LedgerSigners {
  private constructor(
    /** The log's origin, and the name of its keys. */
    readonly name: string,
    private readonly all: readonly Signer[],
  ) {}

  static async of({
    ledgerName,
    ledgerSigningSecrets,
  }: Pick<Config, 'ledgerName' | 'ledgerSigningSecrets'>): Promise<LedgerSigners> {
    const signers = ledgerSigningSecrets.map((secret) => createSigner(ledgerName, ED25519, seedOf(secret)));
    return new LedgerSigners(ledgerName, await Promise.all(signers));
  }

  get keys(): string[] {
    return this.all.map(({ key }) => key.text);
  }

  /** The head as a note with a signature of each key. */
  async sign(head: Head): Promise<string> {
    const text = headText(this.name, head);
    const lines = await Promise.all(this.all.map((signer) => signatureLine(signer, text)));
    return `${text}\n${lines.join('')}`;
  }

  /** Whether the head has the present name and a signature of each key. */
  hasSigned({ origin, signatures }: SignedHead): boolean {
    const isSignedBy = ({ key }: Signer) => signatures.some(({ name, keyId }) => name === key.name && keyId === key.id);
    return origin === this.name && this.all.every(isSignedBy);
  }
}
