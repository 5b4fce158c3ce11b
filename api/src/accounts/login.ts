import { Injectable } from '@nestjs/common';
import type { LoginRequest } from '../../../contracts/http/accounts.js';
import type { CommandId } from '../../../contracts/ids.js';
import { PASSWORD_MAX_LENGTH } from '../../../contracts/limits.js';
import { Refused } from '../http/refused.js';
import type { Account } from './account.entity.js';
import { AccountsStore } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { Enrolment } from './enrolment.js';
import { GamerLog } from './gamer-log.js';
import { Passwords } from './passwords.js';

/** Who asks to log in, and from where. */
export type LoginAttemptRequest = LoginRequest & { ip: string; commandId: CommandId };

@Injectable()
export class Login {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly passwords: Passwords,
    private readonly limits: AttemptLimits,
    private readonly enrolment: Enrolment,
    private readonly gamerLog: GamerLog,
  ) {}

  /** The account whose tag and password these are. Throws Refused, the same for a wrong tag as for a wrong password. */
  async logIn({ username, password, ip, commandId }: LoginAttemptRequest, now: Date): Promise<Account> {
    const account = await this.accounts.findByTag(username);
    const attempt = { gamerTag: username, gamerId: account?.gamerId ?? null, ip };
    await this.limits.countLogin(attempt);
    const isRight = await this.passwords.matches(
      password.slice(0, PASSWORD_MAX_LENGTH + 1),
      account?.passwordHash ?? null,
    );
    if (!account || !isRight) throw new Refused('invalid-credentials');
    await this.limits.forgiveLogin({ ...attempt, gamerId: account.gamerId }, now);
    await this.enrolment.complete(account);
    if (account.role === 'admin') await this.gamerLog.recordAdminSignIn(account.gamerId, commandId, now.getTime());
    return account;
  }

  /** Whether the password that was right still is: it may have been changed, and all sessions ended, meanwhile. */
  async stillHolds({ gamerId, passwordHash }: Account): Promise<boolean> {
    return (await this.accounts.findById(gamerId))?.passwordHash === passwordHash;
  }
}
