import { Injectable } from '@nestjs/common';
import { canonicalEmail } from '../../../../contracts/email.js';
import type * as http from '../../../../contracts/http/gamers.js';
import { isStaff } from '../../../../contracts/ids.js';
import { Refused } from '../../platform/failures.js';
import { type Proof, SecondFactors } from '../staff/second-factors.store.js';
import { SecurityTrail } from '../staff/security-trail.store.js';
import { registrationRefusal } from './account.rules.js';
import { type Account, AccountsStore, newAccount } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { Enrolment } from './enrolment.store.js';
import { ExcludedMailboxes } from './excluded-mailboxes.store.js';
import { GamerLog } from './gamer-log.js';
import { MailedLinks } from './mailed-links.store.js';
import { Passwords } from './passwords.js';

@Injectable()
export class Registrations {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly passwords: Passwords,
    private readonly attemptLimits: AttemptLimits,
    private readonly enrolment: Enrolment,
    private readonly mailboxes: ExcludedMailboxes,
    private readonly links: MailedLinks,
    private readonly trail: SecurityTrail,
  ) {}

  /**
   * Registers a gamer; a repeated request or a login continues an interrupted registration. Throws Refused; or Unavailable: then send it
   * again. `position`: of the enrolment in the log; null when an interrupted registration had enrolled the gamer already.
   */
  async register(request: http.RegisterRequest, address: string) {
    const code = registrationRefusal(request);
    if (code) throw new Refused(code);
    await this.attemptLimits.countRegistration(address);
    const account = (await this.findInterrupted(request, address)) ?? (await this.reserve(request, address));
    await this.trail.record({ type: 'registered', gamerId: account.gamerId, address });
    const position = await this.enrolment.complete(account);
    this.links.sendForOwn(account.gamerId, 'registered at Omni Jackpot with this email.');
    return { account, position };
  }

  /** The same person's interrupted registration; refuses a tag that another gamer has. */
  private async findInterrupted({ username, email, password }: http.RegisterRequest, address: string) {
    const account = await this.accounts.findByTag(username);
    if (!account) return null;
    const isSamePerson =
      !account.enrolled &&
      canonicalEmail(account.email) === canonicalEmail(email) &&
      (await this.passwords.matches(password, account.passwordHash, address));
    if (!isSamePerson) throw new Refused('gamer-tag-taken');
    return account;
  }

  private async reserve({ username, email, password, referralCode }: http.RegisterRequest, address: string) {
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

/** `device`: the device cookie, which names the gamers who logged in on this device. */
type Login = http.LoginRequest & { device: string };

@Injectable()
export class Logins {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly passwords: Passwords,
    private readonly attemptLimits: AttemptLimits,
    private readonly enrolment: Enrolment,
    private readonly gamerLog: GamerLog,
    private readonly factors: SecondFactors,
    private readonly trail: SecurityTrail,
  ) {}

  /**
   * Throws Refused, with the same code for an unknown tag or email as for a wrong password. The second factor comes after the right
   * password, so that nobody learns which accounts have one.
   */
  async logIn({ username, password, code, device }: Login, address: string) {
    const account = await this.accounts.findByTagOrEmail(username);
    const attempt = { username, gamerId: account?.gamerId ?? null, address, device };
    await this.attemptLimits.countLogin(attempt);
    const isRight = await this.passwords.matches(password, account?.passwordHash ?? null, address);
    if (!account || !isRight) {
      await this.trail.record({ type: 'login-failed', gamerId: account?.gamerId ?? null, address });
      throw new Refused('invalid-credentials');
    }
    const proof = await this.secondFactor(account, code ?? '', address);
    await this.attemptLimits.forgiveLogin(attempt);
    await this.attemptLimits.countSuccess(account.gamerId, address);
    await this.enrolment.complete(account);
    if (account.role === 'admin') await this.gamerLog.recordAdminLogin(account.gamerId);
    await this.trail.record({ type: 'logged-in', gamerId: account.gamerId, address, ...(proof && { detail: proof }) });
    return { account, hasSecondFactor: proof !== null };
  }

  private async secondFactor({ gamerId, role }: Account, code: string, address: string): Promise<Proof | null> {
    if (!isStaff(role) || !(await this.factors.isEnrolled(gamerId))) return null;
    if (code === '') {
      await this.trail.record({ type: 'code-required', gamerId, address });
      throw new Refused('second-factor-code-required');
    }
    return this.factors.use(gamerId, code, 'login').catch(async (error: Error) => {
      await this.trail.record({ type: 'code-failed', gamerId, address });
      throw error;
    });
  }
}
