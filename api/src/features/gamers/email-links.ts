import { Injectable } from '@nestjs/common';
import { mailboxOf } from '../../../../contracts/email.js';
import type { CommandId, GamerId } from '../../../../contracts/ids.js';
import { Refused } from '../../platform/failures.js';
import { type Mail, Mailer } from '../../platform/mail/mailer.js';
import { letterTo } from './account-mails.js';
import { type Account, AccountsStore, isConfirmed } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { ExcludedMailboxes } from './excluded-mailboxes.store.js';
import { type LinkPage, type MailedLink, MailedLinksStore, TOKEN_LIFETIME_TEXT } from './mailed-links.store.js';

/** The links in mails, whose holders read the mailbox. They are made and mailed in the background. */
@Injectable()
export class EmailLinks {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly links: MailedLinksStore,
    private readonly mailboxes: ExcludedMailboxes,
    private readonly limits: AttemptLimits,
    private readonly mailer: Mailer,
  ) {}

  /** Mails a link for another email, unless another gamer has it or was excluded with its mailbox. */
  sendForChange(account: Account, newEmail: string): void {
    this.mailer.write('a confirmation link', async () => {
      await this.mailboxes.mustNotBeBarred(newEmail, account.gamerId);
      const reason = 'wants this email for an Omni Jackpot account.';
      return this.letterWithLink('confirm-email', account, newEmail, { reason });
    });
  }

  /** Mails a link for the account's present email, unless its mailbox is confirmed. */
  sendForOwn(gamerId: GamerId, reason: string): void {
    this.mailer.write('a confirmation link', async () => {
      const account = await this.accounts.findById(gamerId);
      if (!account || isConfirmed(account)) return null;
      await this.limits.countEmailLink(gamerId);
      return this.letterWithLink('confirm-email', account, account.email, { reason });
    });
  }

  sendForReset(account: Account): void {
    this.mailer.write('a reset link', () => this.letterWithLink('reset-password', account, account.email));
  }

  /** A link that was not used, and its account. Throws Refused. `address`: the client's. */
  async open(page: LinkPage, token: string, address: string): Promise<{ link: MailedLink; account: Account }> {
    await this.limits.countReset(address);
    const link = await this.links.find(page, token);
    const account = await this.accounts.findById(link.gamerId);
    // Deleting the account deletes its links.
    if (!account) throw new Refused('gamer-not-found');
    return { link, account };
  }

  /**
   * To be called with a valid token before it is used: its holder, at this address, reads the mailbox. An interrupted confirmation
   * can be repeated. The link, and a new gamer's registration, no longer count against the neighbours.
   */
  async confirmed({ gamerId, email }: MailedLink, address: string, commandId: CommandId): Promise<void> {
    const mailbox = mailboxOf(email);
    await this.limits.forgiveReset(address);
    // The mailbox confirmed before, which an exclusion to come bars as well.
    await this.mailboxes.store(gamerId);
    await this.accounts.set(gamerId, { confirmedMailbox: mailbox });
    await this.limits.forgiveRegistration(gamerId);
    await this.mailboxes.shareStrongest(gamerId, mailbox, commandId);
  }

  private async letterWithLink(page: LinkPage, account: Account, email: string, values = {}): Promise<Mail | null> {
    const link = await this.links.create(page, email, account);
    return link === null
      ? null
      : letterTo({ ...account, email }, page, { ...values, lifetime: TOKEN_LIFETIME_TEXT }, link);
  }
}
