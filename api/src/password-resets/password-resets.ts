import { createHash, randomBytes } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { RequestPasswordResetRequest, ResetPasswordRequest } from '../../../contracts/http/people.js';
import type { CommandId } from '../../../contracts/ids.js';
import { RESET_TOKEN_LIFETIME_MS } from '../../../contracts/limits.js';
import type { Account } from '../accounts/account.entity.js';
import { brokenByPassword } from '../accounts/account.rules.js';
import { AccountChanges } from '../accounts/account-changes.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { Config } from '../config.js';
import { Refused } from '../http/refused.js';
import { Mailer } from '../mail/mailer.js';
import { PasswordResetsStore } from './password-resets.store.js';
import { resetMail } from './reset-mail.js';

const TOKEN_BYTES = 32;

/**
 * A new password by mail (decision 33). Whoever asks learns nothing: the account is looked up either way, and what only
 * an existing one needs, a token and a mail, is done behind the answer. The token is kept as its digest.
 */
@Injectable()
export class PasswordResets implements OnApplicationShutdown {
  private readonly logger = new Logger('password-resets');
  private readonly beginning = new Set<Promise<void>>();

  constructor(
    private readonly accounts: AccountsStore,
    private readonly changes: AccountChanges,
    private readonly resets: PasswordResetsStore,
    private readonly mailer: Mailer,
    private readonly config: Config,
  ) {}

  async request({ gamerTag, email }: RequestPasswordResetRequest, now: Date): Promise<void> {
    const account = await this.accounts.findByTag(gamerTag);
    if (account?.email.toLowerCase() !== email.toLowerCase() || !this.mailer.canSend) return;
    const begun = this.begin(account, now)
      .catch((error: Error) => this.logger.error(`a password reset could not be begun: ${error.message}`))
      .finally(() => this.beginning.delete(begun));
    this.beginning.add(begun);
  }

  /** Answers with the position of what was recorded. Throws Refused. */
  async reset(
    { token, newPassword, confirmPassword }: ResetPasswordRequest,
    commandId: CommandId,
    now: Date,
  ): Promise<string> {
    if (newPassword !== confirmPassword) throw new Refused('passwords-do-not-match');
    const broken = brokenByPassword(newPassword);
    if (broken) throw new Refused(broken);
    const tokenHash = digestOf(token);
    const gamerId = await this.resets.gamerOf(tokenHash, now);
    const account = gamerId === null ? null : await this.accounts.findById(gamerId);
    if (!account) throw new Refused('invalid-reset-token');
    const by = { actor: { id: account.gamerId, role: account.role }, commandId };
    return this.changes.changePassword(account.gamerId, newPassword, 'reset-link', by, async (tables) => {
      if (!(await this.resets.use(tokenHash, account.gamerId, tables))) throw new Refused('invalid-reset-token');
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.beginning);
  }

  private async begin(account: Account, now: Date): Promise<void> {
    const { gamerTag, email } = account;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(now.getTime() + RESET_TOKEN_LIFETIME_MS);
    if (!(await this.resets.keep(digestOf(token), account, { now, expiresAt }))) return;
    const link = `${this.config.linkOrigin}/reset-password?token=${token}`;
    this.mailer.post(resetMail({ to: email, gamerTag, link }));
  }
}

/** The token has 256 bits of its own: a plain digest is as good as a slow one. */
const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
