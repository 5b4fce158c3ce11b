import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { mailboxOf } from '../../../../contracts/email.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { canonicalAddress } from '../../../../contracts/wallet-address.js';
import { InvalidSetting } from '../../../../event-log/settings.js';
import { digestOf } from '../../http/client-address.js';
import { Ledger } from '../../ledger/ledger.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { AccountsStore } from './accounts.store.js';

/** An email or a payout address. */
export type Identity = { email: string } | { walletAddress: string };

/**
 * The table `auth.excluded_identities`: digests, keyed with EXCLUSION_SECRET, of excluded gamers' emails and payout addresses.
 * They outlive the account, so that an excluded gamer cannot register again after its removal. The ledger says whether
 * the exclusion is still in force.
 */
@Injectable()
export class ExcludedIdentities {
  constructor(
    private readonly pool: Pool,
    private readonly accounts: AccountsStore,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Throws InvalidSetting when gamers were excluded under a secret that this node does not have: it would not know their
   * emails and addresses again. Rows from before the keys were remembered count as made under the present secret.
   */
  async mustHaveAllSecrets(): Promise<void> {
    const { exclusionSecrets } = this.config;
    await this.pool.query(
      `INSERT INTO auth.exclusion_keys SELECT $1
       WHERE EXISTS (SELECT FROM auth.excluded_identities) AND NOT EXISTS (SELECT FROM auth.exclusion_keys)
       ON CONFLICT DO NOTHING`,
      [keyDigestOf(exclusionSecrets[0] as string)],
    );
    const { rows } = await this.pool.query('SELECT FROM auth.exclusion_keys WHERE digest <> ALL ($1)', [
      exclusionSecrets.map(keyDigestOf),
    ]);
    if (rows.length > 0)
      throw new InvalidSetting(
        'Gamers were excluded under another secret, and could register again: set EXCLUSION_SECRET to what it was, or to the SESSION_SECRET of that time if it was empty',
      );
  }

  /** Throws Refused when the identity is that of another gamer who is excluded. */
  async mustBeFree(identity: Identity, by: GamerId | null): Promise<void> {
    const { rows } = await this.pool.query<{ gamer_id: GamerId }>(
      'SELECT gamer_id FROM auth.excluded_identities WHERE digest = ANY ($1)',
      [this.config.exclusionSecrets.map((secret) => digestWith(secret, identity))],
    );
    const isOfExcluded = rows.some(
      ({ gamer_id }) => gamer_id !== by && this.ledger.decided.isBarred(gamer_id, this.clock.now()),
    );
    if (isOfExcluded) throw new Refused('identity-refused');
  }

  isExcluded(gamerId: GamerId): boolean {
    return this.ledger.decided.exclusionOf(gamerId, this.clock.now()) !== null;
  }

  /** Stores the gamer's email and these addresses. Idempotent. To be called before the gamer is excluded or erased. */
  async remember(gamerId: GamerId, walletAddresses: readonly string[]): Promise<void> {
    const account = await this.accounts.findById(gamerId);
    const identities = [
      ...(account ? [{ email: account.email }] : []),
      ...walletAddresses.map((walletAddress) => ({ walletAddress })),
    ];
    const secret = this.config.exclusionSecrets[0] as string;
    await this.pool.query(
      `WITH key AS (INSERT INTO auth.exclusion_keys VALUES ($3) ON CONFLICT DO NOTHING)
       INSERT INTO auth.excluded_identities (digest, gamer_id) SELECT digest, $2 FROM unnest($1::text[]) AS digest
       ON CONFLICT DO NOTHING`,
      [identities.map((identity) => digestWith(secret, identity)), gamerId, keyDigestOf(secret)],
    );
  }
}

const keyDigestOf = (secret: string): string => digestOf('key of excluded identities', secret);

function digestWith(secret: string, identity: Identity): string {
  const text =
    'email' in identity
      ? `excluded email ${mailboxOf(identity.email)}`
      : `excluded address ${canonicalAddress(identity.walletAddress)}`;
  return digestOf(text, secret);
}
