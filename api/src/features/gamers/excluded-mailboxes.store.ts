import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { mailboxOf } from '../../../../contracts/email.js';
import type { CommandId, GamerId } from '../../../../contracts/ids.js';
import type { Exclusion } from '../../../../contracts/protection.js';
import { exclusionOf } from '../../../../domain/ledger/ledger-state.js';
import { barringExclusionOf } from '../../../../domain/protection-exclusions.js';
import { InvalidSetting } from '../../../../event-log/settings.js';
import { digestOf } from '../../http/client-address.js';
import { Ledger } from '../../ledger/ledger.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { AccountsStore } from './accounts.store.js';

/**
 * The table `auth.excluded_mailboxes`: keyed digests of the mailboxes that excluded gamers confirmed, and of every gamer's former ones.
 * A mailbox that nobody confirmed is not barred: its owner may be somebody else. The rows outlive the account of an excluded gamer.
 */
@Injectable()
export class ExcludedMailboxes {
  constructor(
    private readonly pool: Pool,
    private readonly accounts: AccountsStore,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Throws InvalidSetting when gamers were excluded under a secret that this node lacks: it would not recognize their mailboxes. */
  async mustHaveAllSecrets(): Promise<void> {
    const { rows } = await this.pool.query('SELECT FROM auth.exclusion_keys WHERE digest <> ALL ($1)', [
      this.config.exclusionSecrets.map(keyDigestOf),
    ]);
    if (rows.length > 0)
      throw new InvalidSetting(
        'Mailboxes of gamers were stored under another secret, and excluded gamers could register again: set EXCLUSION_SECRET to what it was, or to the SESSION_SECRET of that time if it was empty',
      );
  }

  async mustNotBeBarred(email: string, by: GamerId | null): Promise<void> {
    const nowMs = this.clock.now();
    const gamerIds = await this.gamersOf(mailboxOf(email));
    if (gamerIds.some((gamerId) => gamerId !== by && this.ledger.ask(barringExclusionOf, gamerId, nowMs)))
      throw new Refused('identity-refused');
  }

  isExcluded(gamerId: GamerId): boolean {
    return this.ledger.ask(exclusionOf, gamerId, this.clock.now()) !== null;
  }

  /** Stores the mailbox that the gamer confirmed, if any. Idempotent. Call it before the mailbox changes, and before an exclusion. */
  async store(gamerId: GamerId): Promise<void> {
    const mailbox = (await this.accounts.findById(gamerId))?.confirmedMailbox;
    if (!mailbox) return;
    const secret = this.config.exclusionSecrets[0] as string;
    await this.pool.query(
      `WITH key AS (INSERT INTO auth.exclusion_keys VALUES ($3) ON CONFLICT DO NOTHING)
       INSERT INTO auth.excluded_mailboxes (digest, gamer_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
      [digestWith(secret, mailbox), gamerId, keyDigestOf(secret)],
    );
  }

  async forget(gamerId: GamerId): Promise<void> {
    if (this.ledger.ask(barringExclusionOf, gamerId, this.clock.now()) === null)
      await this.pool.query('DELETE FROM auth.excluded_mailboxes WHERE gamer_id = $1', [gamerId]);
  }

  /** Lets the strongest exclusion of one account hold for all with the mailbox that this gamer confirmed. Idempotent. */
  async shareStrongest(gamerId: GamerId, commandId: CommandId): Promise<void> {
    if (this.isExcluded(gamerId)) await this.store(gamerId);
    const mailbox = (await this.accounts.findById(gamerId))?.confirmedMailbox;
    if (!mailbox) return;
    const accounts = (await this.accounts.withMailboxOf(gamerId)).map((account) => account.gamerId);
    const nowMs = this.clock.now();
    const [strongest] = [...accounts, ...(await this.gamersOf(mailbox))]
      .flatMap((id) => {
        const exclusion = this.ledger.ask(barringExclusionOf, id, nowMs);
        return exclusion && exclusion.untilMs > nowMs ? [{ id, ...exclusion }] : [];
      })
      .sort(byStrength);
    if (strongest === undefined) return;
    for (const id of accounts) if (id !== strongest.id) await this.share(strongest.id, id, commandId);
  }

  /** Acts in the name of the account's own gamer, who reads the mailbox of both accounts. */
  private async share(from: GamerId, gamerId: GamerId, commandId: CommandId): Promise<void> {
    await this.store(gamerId);
    const metadata = { actor: { id: gamerId, role: 'gamer' } as const, commandId };
    await this.ledger.execute({ type: 'ShareExclusion', gamerId, from }, metadata).catch((error: unknown) => {
      // The account is excluded for as long already, or deleted.
      if (!(error instanceof Refused)) throw error;
    });
  }

  /** The gamers, deleted ones too, with this mailbox in the table. */
  private async gamersOf(mailbox: string): Promise<GamerId[]> {
    const { rows } = await this.pool.query<{ gamer_id: GamerId }>(
      'SELECT gamer_id FROM auth.excluded_mailboxes WHERE digest = ANY ($1)',
      [this.config.exclusionSecrets.map((secret) => digestWith(secret, mailbox))],
    );
    return rows.map(({ gamer_id }) => gamer_id);
  }
}

/** A self-exclusion before a time-out, then the later end. */
const byStrength = (one: Exclusion, other: Exclusion): number =>
  Number(other.kind === 'self-exclusion') - Number(one.kind === 'self-exclusion') || other.untilMs - one.untilMs;
const keyDigestOf = (secret: string): string => digestOf('key of excluded mailboxes', secret);
const digestWith = (secret: string, mailbox: string): string => digestOf(`excluded mailbox ${mailbox}`, secret);
