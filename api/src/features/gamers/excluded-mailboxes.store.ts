import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DAY_MS } from '../../../../contracts/durations.js';
import { mailboxOf } from '../../../../contracts/email.js';
import type { CommandId, GamerId } from '../../../../contracts/ids.js';
import { EXCLUSION_DAYS, type ExclusionKind } from '../../../../contracts/limits.js';
import { InvalidSetting } from '../../../../event-log/settings.js';
import { digestOf } from '../../http/client-address.js';
import { Ledger } from '../../ledger/ledger.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { AccountsStore } from './accounts.store.js';

interface Exclude {
  gamerId: GamerId;
  kind: ExclusionKind;
  days: number;
}

/**
 * The table `auth.excluded_mailboxes`: digests, keyed with EXCLUSION_SECRET, of the mailboxes that excluded gamers confirmed. A
 * mailbox that nobody confirmed is not barred: its owner may be somebody else. The rows outlive the account, so that an excluded
 * gamer cannot register again after its removal. The ledger says whether the exclusion is still in force.
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
        'Gamers were excluded under another secret, and could register again: set EXCLUSION_SECRET to what it was, or to the SESSION_SECRET of that time if it was empty',
      );
  }

  /** Throws Refused when the email leads to the mailbox of another gamer who is excluded. */
  async mustBeFree(email: string, by: GamerId | null): Promise<void> {
    const now = this.clock.now();
    const gamerIds = await this.gamersOf(mailboxOf(email));
    if (gamerIds.some((gamerId) => gamerId !== by && this.ledger.decided.barringExclusionOf(gamerId, now)))
      throw new Refused('identity-refused');
  }

  isExcluded(gamerId: GamerId): boolean {
    return this.ledger.decided.exclusionOf(gamerId, this.clock.now()) !== null;
  }

  /** Stores the mailbox that the gamer confirmed, if any. Idempotent. To be called before the gamer is excluded or erased. */
  async remember(gamerId: GamerId): Promise<void> {
    const mailbox = (await this.accounts.findById(gamerId))?.confirmedMailbox;
    if (!mailbox) return;
    const secret = this.config.exclusionSecrets[0] as string;
    await this.pool.query(
      `WITH key AS (INSERT INTO auth.exclusion_keys VALUES ($3) ON CONFLICT DO NOTHING)
       INSERT INTO auth.excluded_mailboxes (digest, gamer_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
      [digestWith(secret, mailbox), gamerId, keyDigestOf(secret)],
    );
  }

  /** Excludes the gamer's other accounts with the same confirmed mailbox, where that makes no exclusion shorter. */
  async excludeOthers({ gamerId, ...exclusion }: Exclude, commandId: CommandId): Promise<void> {
    for (const other of await this.accounts.withMailboxOf(gamerId))
      if (other.gamerId !== gamerId) await this.exclude({ ...exclusion, gamerId: other.gamerId }, commandId);
  }

  /** Lets an exclusion of one account hold for all with the mailbox that this gamer has just confirmed. Idempotent. */
  async spread(gamerId: GamerId, mailbox: string, commandId: CommandId): Promise<void> {
    if (this.isExcluded(gamerId)) await this.remember(gamerId);
    const accounts = await this.accounts.withMailboxOf(gamerId);
    for (const otherId of [...(await this.gamersOf(mailbox)), ...accounts.map((other) => other.gamerId)]) {
      await this.extend(otherId, gamerId, commandId);
      await this.extend(gamerId, otherId, commandId);
    }
  }

  /** Excludes a gamer who is not excluded, or in a time-out only, as another one is: for the shortest length that is as long. */
  private async extend(fromId: GamerId, gamerId: GamerId, commandId: CommandId): Promise<void> {
    const { decided } = this.ledger;
    const now = this.clock.now();
    const exclusion = decided.barringExclusionOf(fromId, now);
    const present = decided.exclusionOf(gamerId, now);
    if (!exclusion || exclusion.untilEpochMs <= now) return;
    const { kind, untilEpochMs } = exclusion;
    const days = EXCLUSION_DAYS[kind].find((length) => now + length * DAY_MS >= untilEpochMs);
    if (days === undefined || present?.kind === kind || present?.kind === 'self-exclusion') return;
    await this.exclude({ gamerId, kind, days }, commandId);
  }

  /** In the name of the account's own gamer, who reads the mailbox of both accounts. */
  private async exclude(exclusion: Exclude, commandId: CommandId): Promise<void> {
    await this.remember(exclusion.gamerId);
    const actor = { id: exclusion.gamerId, role: 'gamer' } as const;
    await this.ledger.execute({ type: 'ExcludeGamer', ...exclusion }, { actor, commandId }).catch((error: unknown) => {
      // The account is excluded for longer, or deleted.
      if (!(error instanceof Refused)) throw error;
    });
  }

  /** The gamers, deleted ones too, who were excluded with this mailbox. */
  private async gamersOf(mailbox: string): Promise<GamerId[]> {
    const { rows } = await this.pool.query<{ gamer_id: GamerId }>(
      'SELECT gamer_id FROM auth.excluded_mailboxes WHERE digest = ANY ($1)',
      [this.config.exclusionSecrets.map((secret) => digestWith(secret, mailbox))],
    );
    return rows.map(({ gamer_id }) => gamer_id);
  }
}

const keyDigestOf = (secret: string): string => digestOf('key of excluded mailboxes', secret);
const digestWith = (secret: string, mailbox: string): string => digestOf(`excluded mailbox ${mailbox}`, secret);
