import { Injectable } from '@nestjs/common';
import type { RegisterRequest } from '../../../contracts/http/accounts.js';
import { Refused } from '../http/refused.js';
import type { Account } from './account.entity.js';
import { brokenByRegistration } from './account.rules.js';
import { AccountsStore } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { Enrolment } from './enrolment.js';
import { Passwords } from './passwords.js';
import { randomGamerId, randomRefCode } from './random-text.js';

export interface Registered {
  account: Account;
  /** Of the gamer's place in the ledger; null when a broken-off registration had got that far already. */
  position: string | null;
}

/**
 * Registers a gamer: reserve tag and email, then log, then ledger. The reserved row is what makes a tag unique, so it
 * comes first; a registration that broke off after it goes on when the same person registers or logs in again.
 */
@Injectable()
export class Registration {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly passwords: Passwords,
    private readonly limits: AttemptLimits,
    private readonly enrolment: Enrolment,
  ) {}

  /** Throws Refused; or Unavailable, after which the same request may be repeated. */
  async register(request: RegisterRequest, ip: string, now: Date): Promise<Registered> {
    const broken = brokenByRegistration(request);
    if (broken) throw new Refused(broken);
    await this.limits.countRegistration(ip);
    const account = (await this.brokenOff(request)) ?? (await this.reserve(request, now));
    return { account, position: await this.enrolment.complete(account) };
  }

  /** The same person's registration that did not get to its end; refuses a tag that somebody has. */
  private async brokenOff({ username, email, password }: RegisterRequest): Promise<Account | null> {
    const account = await this.accounts.findByTag(username);
    if (!account) return null;
    const isSamePerson =
      !account.enrolled &&
      account.email.toLowerCase() === email.toLowerCase() &&
      (await this.passwords.matches(password, account.passwordHash));
    if (!isSamePerson) throw new Refused('gamer-tag-taken');
    return account;
  }

  private async reserve({ username, email, password, referralCode }: RegisterRequest, now: Date): Promise<Account> {
    const sponsor = referralCode ? await this.accounts.findByRefCode(referralCode) : null;
    if (referralCode && !sponsor) throw new Refused('referral-code-not-found');
    const account: Account = {
      gamerId: randomGamerId(),
      gamerTag: username,
      email,
      passwordHash: await this.passwords.hash(password),
      role: 'gamer',
      refCode: randomRefCode(),
      sponsorId: sponsor?.gamerId ?? null,
      enrolled: false,
      createdAt: now,
    };
    await this.accounts.reserve(account);
    return account;
  }
}
