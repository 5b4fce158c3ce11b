import { Injectable } from '@nestjs/common';
import type { LoginRequest } from '../../../../contracts/http/gamers.js';
import { isStaff } from '../../../../contracts/ids.js';
import { Clock } from '../../platform/clock.js';
import { Refused } from '../../platform/failures.js';
import { type Proof, SecondFactors } from '../staff/second-factors.store.js';
import { SecurityTrail } from '../staff/security-trail.store.js';
import { type Account, AccountsStore } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { Enrolment } from './enrolment.store.js';
import { GamerLog } from './gamer-log.js';
import { Passwords } from './passwords.js';

/** `device`: the device cookie, which names the gamers who logged in on this device. */
type Login = LoginRequest & { device: string };

@Injectable()
export class Logins {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly passwords: Passwords,
    private readonly limits: AttemptLimits,
    private readonly enrolment: Enrolment,
    private readonly gamerLog: GamerLog,
    private readonly factors: SecondFactors,
    private readonly trail: SecurityTrail,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the account with this tag or email and password; the controller begins the session. Throws Refused, with the same code
   * for an unknown tag or email as for a wrong password. The second factor comes after the right password, so that nobody learns
   * which accounts have one.
   */
  async logIn({ username, password, code, device }: Login, address: string) {
    const account = await this.accounts.findByTagOrEmail(username);
    const attempt = { username, gamerId: account?.gamerId ?? null, address, device };
    await this.limits.countLogin(attempt);
    const isRight = await this.passwords.matches(password, account?.passwordHash ?? null, address);
    if (!account || !isRight) {
      await this.trail.record({ type: 'login-failed', gamerId: account?.gamerId ?? null, address });
      throw new Refused('invalid-credentials');
    }
    const proof = await this.secondFactor(account, code ?? '', address);
    await this.limits.forgiveLogin({ ...attempt, gamerId: account.gamerId }, new Date(this.clock.now()));
    await this.limits.countSuccess(account.gamerId, address);
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
