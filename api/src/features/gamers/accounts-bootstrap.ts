import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { refusalText } from '../../../../contracts/refusals.js';
import { tryLock } from '../../../../event-log/postgres.js';
import { InvalidSetting } from '../../../../event-log/settings.js';
import { Config } from '../../platform/config.js';
import { isOutage } from '../../platform/failures.js';
import type { Account } from './account.entity.js';
import { brokenByPassword } from './account.rules.js';
import { AccountsStore } from './accounts.store.js';
import { Enrolment } from './enrolment.js';
import { GamerLog, type RegisteredGamer } from './gamer-log.js';
import { Passwords } from './passwords.js';
import { randomGamerId, randomRefCode } from './random-text.js';

const LOCK = 'omni-jackpot: first start';
const LOCK_RETRY_MS = 100;
const LOG_RETRY_MS = 500;

/**
 * Makes sure that the admin's account exists before the first request: creates it on empty stores; when Postgres was lost
 * but the log was not, restores all accounts from the log, without passwords. One process works, the others wait.
 */
@Injectable()
export class AccountsBootstrap {
  private readonly logger = new Logger(AccountsBootstrap.name);

  constructor(
    private readonly pool: Pool,
    private readonly config: Config,
    private readonly accounts: AccountsStore,
    private readonly gamerLog: GamerLog,
    private readonly enrolment: Enrolment,
    private readonly passwords: Passwords,
  ) {}

  async run(now: Date): Promise<void> {
    for (;;) {
      try {
        return await this.locked(async () => {
          if ((await this.accounts.findAdmin()) === null) await this.restore();
          await this.ensureAdmin(now);
        });
      } catch (error) {
        if (!isOutage(error)) throw error;
        this.logger.warn(`accounts are not ready yet, trying again: ${error.message}`);
        await sleep(LOG_RETRY_MS);
      }
    }
  }

  /** Runs the work while no other process runs such work. */
  private async locked(work: () => Promise<void>): Promise<void> {
    const client = await this.pool.connect();
    try {
      // Polled, because waiting in one statement would hit the statement timeout while another process restores.
      while (!(await tryLock(client, LOCK))) {
        await sleep(LOCK_RETRY_MS);
      }
      await work();
    } finally {
      // Closing the connection releases the lock in every case.
      client.release(true);
    }
  }

  private async restore(): Promise<void> {
    const gamers = await this.gamerLog.readGamers();
    if (gamers.length === 0) return;
    const restored = await this.accounts.restore(gamers.map(accountOf));
    this.logger.warn(`${restored} of ${gamers.length} accounts were restored from the event log, without passwords`);
  }

  private async ensureAdmin(now: Date): Promise<void> {
    let admin = await this.accounts.findAdmin();
    if (!admin) {
      admin = { ...(await this.newAdmin(now)), passwordHash: await this.adminPasswordHash() };
      await this.accounts.reserve(admin);
    } else if (admin.passwordHash === null) {
      const hash = await this.adminPasswordHash();
      if (hash !== null) await this.accounts.setPasswordHash(admin.gamerId, hash);
    }
    await this.enrolment.complete(admin);
  }

  private async newAdmin(now: Date): Promise<Account> {
    return {
      gamerId: randomGamerId(),
      gamerTag: this.config.adminGamerTag,
      email: this.config.adminEmail,
      passwordHash: null,
      role: 'admin',
      refCode: randomRefCode(),
      sponsorId: null,
      enrolled: false,
      createdAt: now,
    };
  }

  /** Null without ADMIN_PASSWORD: the only place to announce a generated password would be a log, and logs are kept. */
  private async adminPasswordHash(): Promise<string | null> {
    const { adminPassword } = this.config;
    if (adminPassword === null) {
      this.logger.warn('nobody can log in as the admin: set ADMIN_PASSWORD and start again');
      return null;
    }
    const broken = brokenByPassword(adminPassword, 'admin');
    if (broken) throw new InvalidSetting(`ADMIN_PASSWORD: ${refusalText({ code: broken })}`);
    return this.passwords.hash(adminPassword);
  }
}

/** `enrolled` is false: enrolling again is harmless, because the ledger refuses a second place. */
const accountOf = ({ registeredAt, ...registered }: RegisteredGamer): Account => ({
  ...registered,
  passwordHash: null,
  enrolled: false,
  createdAt: registeredAt,
});
