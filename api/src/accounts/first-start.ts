import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { refusalText } from '../../../contracts/messages.js';
import { LogUnavailable, UnknownOutcome } from '../../../event-log/event-log.types.js';
import { Config } from '../config.js';
import { Unavailable } from '../http/refused.js';
import type { Account } from './account.entity.js';
import { brokenByPassword } from './account.rules.js';
import { AccountsStore } from './accounts.store.js';
import { Enrolment } from './enrolment.js';
import { GamerLog, type RegisteredGamer } from './gamer-log.js';
import { Passwords } from './passwords.js';
import { randomGamerId, randomPassword, randomRefCode } from './random-text.js';

const LOCK = 'omni-jackpot: first start';
const LOCK_RETRY_MS = 100;
const LOG_RETRY_MS = 500;

/**
 * Sees to it that there is a house before anyone is served: on empty stores the admin is made; when Postgres was lost
 * but the log was not, the accounts are put back from it, without passwords. One process does it, the others wait.
 */
@Injectable()
export class FirstStart {
  private readonly logger = new Logger(FirstStart.name);

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
        return await this.alone(async () => {
          if (await this.accounts.isEmpty()) await this.restore();
          await this.ensureHouse(now);
        });
      } catch (error) {
        if (!isOutageOfLog(error)) throw error;
        this.logger.warn(`the event log is away, trying again: ${error.message}`);
        await sleep(LOG_RETRY_MS);
      }
    }
  }

  private async alone(work: () => Promise<void>): Promise<void> {
    const client = await this.pool.connect();
    try {
      // Asked again and again rather than waited for: a restore may take longer than a statement is allowed to.
      while (!(await client.query('SELECT pg_try_advisory_lock(hashtext($1)) AS mine', [LOCK])).rows[0].mine) {
        await sleep(LOCK_RETRY_MS);
      }
      await work();
    } finally {
      // Closes the connection, which gives the lock back whatever happened.
      client.release(true);
    }
  }

  private async restore(): Promise<void> {
    const gamers = await this.gamerLog.readGamers();
    if (gamers.length === 0) return;
    const restored = await this.accounts.restore(gamers.map(accountOf));
    this.logger.warn(`${restored} of ${gamers.length} accounts were restored from the event log, without passwords`);
  }

  private async ensureHouse(now: Date): Promise<void> {
    let house = await this.accounts.findHouse();
    if (!house) {
      house = { ...(await this.newHouse(now)), passwordHash: await this.adminPasswordHash() };
      await this.accounts.reserve(house);
    } else if (house.passwordHash === null) {
      await this.accounts.setPasswordHash(house.gamerId, await this.adminPasswordHash());
    }
    await this.enrolment.complete(house);
  }

  private async newHouse(now: Date): Promise<Account> {
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

  private adminPasswordHash(): Promise<string> {
    const { adminGamerTag, adminPassword } = this.config;
    if (adminPassword === null) {
      const password = randomPassword();
      this.logger.warn(`The admin is "${adminGamerTag}", with this password, shown once: ${password}`);
      return this.passwords.hash(password);
    }
    const broken = brokenByPassword(adminPassword);
    if (broken) throw new Error(`ADMIN_PASSWORD: ${refusalText({ code: broken })}`);
    return this.passwords.hash(adminPassword);
  }
}

/** `enrolled` is found out by asking the ledger, which refuses a second place. */
const accountOf = ({ registeredAt, ...registered }: RegisteredGamer): Account => ({
  ...registered,
  passwordHash: null,
  enrolled: false,
  createdAt: registeredAt,
});

const isOutageOfLog = (error: unknown): error is Error =>
  error instanceof LogUnavailable || error instanceof UnknownOutcome || error instanceof Unavailable;
