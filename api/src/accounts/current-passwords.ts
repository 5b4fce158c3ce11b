import { Injectable } from '@nestjs/common';
import { PASSWORD_MAX_LENGTH } from '../../../contracts/limits.js';
import type { SessionGamer } from '../http/session.js';
import { Refused } from '../platform/failures.js';
import { AccountsStore } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { Passwords } from './passwords.js';
import { SignInTrail } from './sign-in-trail.store.js';

/** Asks a gamer or staff member who is logged in for the password again. */
@Injectable()
export class CurrentPasswords {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly passwords: Passwords,
    private readonly limits: AttemptLimits,
    private readonly trail: SignInTrail,
  ) {}

  /** Throws Refused when it is wrong, or after too many wrong ones. */
  async check(password: string, { gamer, address }: { gamer: SessionGamer; address: string }): Promise<void> {
    const { gamerId } = gamer;
    await this.limits.countProof('password', gamerId);
    const account = await this.accounts.findById(gamerId);
    const typed = password.slice(0, PASSWORD_MAX_LENGTH + 1);
    if (!(await this.passwords.matches(typed, account?.passwordHash ?? null, address))) {
      await this.trail.record({ type: 'password-failed', gamerId, address });
      throw new Refused('wrong-password');
    }
    await this.limits.forgiveProofs('password', gamerId);
  }
}
