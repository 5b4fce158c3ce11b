import { Injectable } from '@nestjs/common';
import { canonicalEmail } from '../../../../contracts/email.js';
import type { RegisterRequest } from '../../../../contracts/http/gamers.js';
import { Refused } from '../../platform/failures.js';
import { SecurityTrail } from '../staff/security-trail.store.js';
import { registrationRefusal } from './account.rules.js';
import { type Account, AccountsStore, newAccount } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { Enrolment } from './enrolment.store.js';
import { ExcludedMailboxes } from './excluded-mailboxes.store.js';
import { MailedLinks } from './mailed-links.store.js';
import { Passwords } from './passwords.js';

@Injectable()
export class Registrations {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly passwords: Passwords,
    private readonly limits: AttemptLimits,
    private readonly enrolment: Enrolment,
    private readonly mailboxes: ExcludedMailboxes,
    private readonly links: MailedLinks,
    private readonly trail: SecurityTrail,
  ) {}

  /**
   * Registers a gamer: reserves tag and email, appends to the gamer's stream, enrols in the ledger. A repeated request or
   * a login continues an interrupted registration. Throws Refused; or Unavailable: then send it again.
   * `position` is the log position of the enrolment; null when an interrupted registration had enrolled the gamer already.
   */
  async register(request: RegisterRequest, address: string): Promise<{ account: Account; position: string | null }> {
    const code = registrationRefusal(request);
    if (code) throw new Refused(code);
    await this.limits.countRegistration(address);
    const account = (await this.findInterrupted(request, address)) ?? (await this.reserve(request, address));
    await this.trail.record({ type: 'registered', gamerId: account.gamerId, address });
    const position = await this.enrolment.complete(account);
    this.links.sendForOwn(account.gamerId, 'registered at Omni Jackpot with this email.');
    return { account, position };
  }

  /** The same person's interrupted registration; refuses a tag that another gamer has. */
  private async findInterrupted(
    { username, email, password }: RegisterRequest,
    address: string,
  ): Promise<Account | null> {
    const account = await this.accounts.findByTag(username);
    if (!account) return null;
    const isSamePerson =
      !account.enrolled &&
      canonicalEmail(account.email) === canonicalEmail(email) &&
      (await this.passwords.matches(password, account.passwordHash, address));
    if (!isSamePerson) throw new Refused('gamer-tag-taken');
    return account;
  }

  private async reserve({ username, email, password, referralCode }: RegisterRequest, address: string) {
    const sponsor = referralCode ? await this.accounts.findByRefCode(referralCode) : null;
    if (referralCode && !sponsor) throw new Refused('referral-code-not-found');
    await this.mailboxes.mustNotBeBarred(email, null);
    const passwordHash = await this.passwords.hash(password, address);
    const sponsorId = sponsor?.gamerId ?? null;
    const account = newAccount({ gamerTag: username, email, passwordHash, role: 'gamer', sponsorId });
    await this.accounts.reserve(account);
    return account;
  }
}
