import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { HOUR_MS } from '../../../../contracts/durations.js';
import { canonicalEmail, mailboxOf } from '../../../../contracts/email.js';
import type { CommandId, GamerId } from '../../../../contracts/ids.js';
import { MAILED_LINK_LIFETIME_MS } from '../../../../contracts/limits.js';
import type { PlainRefusalCode } from '../../../../contracts/refusals.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { type Mail, Mailer } from '../../platform/mail/mailer.js';
import { letterTo } from './account-mails.js';
import { type Account, AccountsStore, isConfirmed, type Transaction } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { ExcludedMailboxes } from './excluded-mailboxes.store.js';

const TOKEN_BYTES = 32;
const HOURS = MAILED_LINK_LIFETIME_MS / HOUR_MS;
const TOKEN_LIFETIME_TEXT = HOURS === 1 ? 'one hour' : `${HOURS} hours`;

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The stored form of a token. A fast digest suffices: the token has 256 random bits. */
export const tokenHashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

type LinkPage = 'reset-password' | 'confirm-email';

const REFUSALS: Record<LinkPage, PlainRefusalCode> = {
  'reset-password': 'invalid-reset-token',
  'confirm-email': 'invalid-email-link',
};

export type MailedLink = { page: LinkPage; gamerId: GamerId; email: string; tokenHash: Buffer };

/** Links in mails. A token proves that its sender reads the mailbox, and is used once; `auth.mailed_links` has its digest. */
@Injectable()
export class MailedLinks {
  constructor(
    private readonly pool: Pool,
    private readonly accounts: AccountsStore,
    private readonly mailboxes: ExcludedMailboxes,
    private readonly attemptLimits: AttemptLimits,
    private readonly mailer: Mailer,
    private readonly config: Config,
  ) {}

  /** Mails a reset link if one account has both this login (GamerTag or email) and this email. Returns its gamer's id, else null. */
  async requestReset(gamerTag: string, email: string, address: string): Promise<GamerId | null> {
    await this.attemptLimits.countResetRequest({ gamerTag, email, address });
    const account = await this.accounts.findByTagOrEmail(gamerTag);
    if (!account || canonicalEmail(account.email) !== canonicalEmail(email)) return null;
    this.mailer.write('a reset link', () => this.letterWithLink('reset-password', account, account.email));
    return account.gamerId;
  }

  /** Mails a link for the account's current email, unless its mailbox is confirmed. */
  sendForOwn(gamerId: GamerId, reason: string): void {
    this.mailer.write('a confirmation link', async () => {
      const account = await this.accounts.findById(gamerId);
      if (!account || isConfirmed(account)) return null;
      await this.attemptLimits.countEmailLink(gamerId);
      return this.letterWithLink('confirm-email', account, account.email, { reason });
    });
  }

  /** Mails a link for another email, unless another gamer has it or was excluded with its mailbox. Throws Refused. */
  async requestChange(gamerId: GamerId, newEmail: string, address: string): Promise<void> {
    const account = await this.mustFind(gamerId);
    const isOwn = canonicalEmail(account.email) === canonicalEmail(newEmail);
    if (isOwn && isConfirmed(account)) throw new Refused('email-unchanged');
    await this.attemptLimits.countLinkUse(address);
    if (isOwn) return this.sendForOwn(gamerId, 'has this email at Omni Jackpot.');
    await this.attemptLimits.countEmailLink(gamerId);
    // Sent whether the wanted address is free or not: a difference would reveal who is registered.
    this.mailer.post(letterTo(account, 'email-change-requested'));
    this.mailer.write('a confirmation link', async () => {
      await this.mailboxes.mustNotBeBarred(newEmail, gamerId);
      const reason = 'wants this email for an Omni Jackpot account.';
      return this.letterWithLink('confirm-email', account, newEmail, { reason });
    });
  }

  /**
   * Finds an unused link and its account, and records that the token's holder reads the mailbox. The link stays unused, so that an
   * interrupted confirmation can be repeated. Throws Refused.
   */
  async follow(page: LinkPage, token: string, address: string, commandId: CommandId) {
    await this.attemptLimits.countLinkUse(address);
    const link = await this.find(page, token);
    const { gamerId, email } = link;
    const account = await this.mustFind(gamerId);
    // The current email is confirmed even when another gamer was excluded with its mailbox: that exclusion then holds here too.
    if (canonicalEmail(email) !== canonicalEmail(account.email)) await this.mailboxes.mustNotBeBarred(email, gamerId);
    await this.attemptLimits.forgiveReset(address);
    // Stores the mailbox that was confirmed before, because a later exclusion bars it as well.
    await this.mailboxes.store(gamerId);
    await this.accounts.set(gamerId, { confirmedMailbox: mailboxOf(email) });
    await this.attemptLimits.forgiveRegistration(gamerId);
    await this.mailboxes.shareStrongest(gamerId, commandId);
    return { link, account };
  }

  private async mustFind(gamerId: GamerId): Promise<Account> {
    const account = await this.accounts.findById(gamerId);
    // Deleting an account deletes its links and sessions, perhaps a moment ago.
    if (!account) throw new Refused('gamer-not-found');
    return account;
  }

  private async letterWithLink(page: LinkPage, account: Account, email: string, values = {}): Promise<Mail | null> {
    const link = await this.create(page, email, account);
    return link === null
      ? null
      : letterTo({ ...account, email }, page, { ...values, lifetime: TOKEN_LIFETIME_TEXT }, link);
  }

  /** Returns the address of a new link; null when another gamer has the email, or the account changed since it was read. */
  async create(page: LinkPage, email: string, account: Account): Promise<string | null> {
    const token = newToken();
    await this.pool.query(
      `DELETE FROM auth.mailed_links WHERE expires_at <= now() OR (gamer_id = $1 AND page = 'confirm-email' AND page = $2 AND email <> $3)`,
      [account.gamerId, page, email],
    );
    // FOR SHARE waits for a concurrent change of the account: it would not see this row, and so not delete it.
    const { rowCount } = await this.pool.query(
      `INSERT INTO auth.mailed_links (page, token_hash, gamer_id, email, expires_at)
       SELECT $1, $2, gamer_id, $4, now() + $5 * interval '1 ms' FROM auth.accounts
       WHERE gamer_id = $3 AND email = $6 AND password_hash IS NOT DISTINCT FROM $7::text
         AND NOT EXISTS (SELECT FROM auth.accounts WHERE email_key = $8 AND gamer_id <> $3) FOR SHARE`,
      [
        page,
        tokenHashOf(token),
        account.gamerId,
        email,
        MAILED_LINK_LIFETIME_MS,
        account.email,
        account.passwordHash,
        canonicalEmail(email),
      ],
    );
    return rowCount === 1 ? `${this.config.linkOrigin}/${page}?token=${token}` : null;
  }

  async find(page: LinkPage, token: string): Promise<MailedLink> {
    const { rows } = await this.pool.query<MailedLink>(
      `SELECT page, gamer_id AS "gamerId", email, token_hash AS "tokenHash" FROM auth.mailed_links
       WHERE page = $1 AND token_hash = $2 AND expires_at > now()`,
      [page, tokenHashOf(token)],
    );
    if (!rows[0]) throw new Refused(REFUSALS[page]);
    return rows[0];
  }

  /** Deletes the link, in the transaction. Throws Refused when it was used already. */
  async use({ page, tokenHash }: MailedLink, transaction: Transaction): Promise<void> {
    const sql = 'DELETE FROM auth.mailed_links WHERE token_hash = $1';
    const [, count]: [unknown, number] = await transaction.query(sql, [tokenHash]);
    if (count === 0) throw new Refused(REFUSALS[page]);
  }

  async dropAllOf(gamerId: GamerId, transaction: Transaction): Promise<void> {
    await transaction.query('DELETE FROM auth.mailed_links WHERE gamer_id = $1', [gamerId]);
  }
}
