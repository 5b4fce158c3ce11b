import { scryptSync } from 'node:crypto';
import { headText, nameAfterLoss, type SignedHead } from '../../../../contracts/transparency/signed-head.js';
import { createSigner, ED25519, type Signer, signatureLine } from '../../../../contracts/transparency/signed-note.js';
import { type LatePurchase, refusalNoteText } from '../../../../contracts/transparency/signed-refusal.js';
import type { Head } from '../../../../contracts/transparency/tree.js';
import type { HistoryLoss } from '../../../../domain/ledger/ledger-state.js';
import type { Config } from '../../platform/config.js';

const SEED_BYTES = 32;
const SALT = 'omni-jackpot ledger signing key 1';

/** Anyone can test guesses of the secret against the public key, so each guess is made to cost time and memory. */
const seedOf = (secret: string): Buffer => scryptSync(secret, SALT, SEED_BYTES);

/** The keys that sign the ledger's heads. A log that lost events goes on under another name with other keys. */
export class LedgerSigners {
  private readonly seeds: readonly Buffer[];
  private readonly byName = new Map<string, Promise<Signer[]>>();

  /** @param losses the accepted losses of history, oldest first */
  constructor(
    private readonly settings: Pick<Config, 'ledgerName' | 'ledgerSigningSecrets'>,
    private readonly losses: () => readonly Pick<HistoryLoss, 'signedRoot'>[] = () => [],
  ) {
    this.seeds = settings.ledgerSigningSecrets.map(seedOf);
  }

  /** The log's origin, and the name of its keys. */
  get name(): string {
    const loss = this.losses().at(-1);
    const { ledgerName } = this.settings;
    return loss === undefined ? ledgerName : nameAfterLoss(ledgerName, loss.signedRoot);
  }

  /** The key in force, then the one that it replaces, if there is one. @param name an earlier name's keys, for old heads */
  async keys(name = this.name): Promise<string[]> {
    return (await this.signersOf(name)).map(({ key }) => key.text);
  }

  async sign(head: Head): Promise<string> {
    return this.signText(headText(this.name, head));
  }

  async signRefusal(late: LatePurchase): Promise<string> {
    return this.signText(refusalNoteText(this.name, late));
  }

  /** Whether the head has the current name and a signature of each key. */
  async hasSigned({ origin, signatures }: SignedHead): Promise<boolean> {
    const isSignedBy = ({ key }: Signer) => signatures.some(({ name, keyId }) => name === key.name && keyId === key.id);
    return origin === this.name && (await this.signersOf(origin)).every(isSignedBy);
  }

  private async signText(text: string): Promise<string> {
    const lines = (await this.signersOf(this.name)).map((signer) => signatureLine(signer, text));
    return `${text}\n${(await Promise.all(lines)).join('')}`;
  }

  private signersOf(name: string): Promise<Signer[]> {
    const signers = this.byName.get(name) ?? Promise.all(this.seeds.map((seed) => createSigner(name, ED25519, seed)));
    this.byName.set(name, signers);
    return signers;
  }
}
