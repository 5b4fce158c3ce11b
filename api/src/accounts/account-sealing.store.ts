import { Injectable, Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { EventVersions } from '../../../event-log/event-versions.js';
import { Ledger } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { every, type Periodic } from '../platform/every.js';
import { sealRows } from '../platform/row-sealing.store.js';
import { RowSeals } from '../platform/row-seals.js';
import { AccountsBootstrap } from './accounts-bootstrap.js';
import { GamerLog } from './gamer-log.js';
import { SignInTrail } from './sign-in-trail.store.js';

const RETRY_MS = 1_000;

/**
 * Seals the rows that earlier releases wrote, once: the event AccountsSealed records it where a writer to Postgres cannot undo
 * it. Until then rows need no seal. It waits until no node of an earlier release runs, because those write without seals.
 */
@Injectable()
export class AccountSealing {
  private readonly logger = new Logger('row-seals');
  private waiting: Periodic | undefined;
  private renewing: Promise<void> | undefined;
  private isStopped = false;

  constructor(
    private readonly pool: Pool,
    private readonly seals: RowSeals,
    private readonly versions: EventVersions,
    private readonly ledger: Ledger,
    private readonly gamerLog: GamerLog,
    private readonly bootstrap: AccountsBootstrap,
    private readonly trail: SignInTrail,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Makes sure of the admin's account, and of the seals unless an older node runs. */
  async start(now: Date): Promise<void> {
    this.seals.onRefused(({ table, gamerId }) => {
      this.trail
        .record({ type: 'row-refused', gamerId, address: 'Postgres', detail: table })
        .catch((error: Error) => this.logger.warn(`a refused row is not in the trail: ${error.message}`));
    });
    await this.bootstrap.run(now, {
      before: async () => {
        this.seals.isStrict = await this.isRecorded();
      },
      after: () => this.sealOnce(),
    });
    if (!this.seals.isStrict) this.waiting = this.retry();
    else if (this.config.ledgerSigningSecrets.length > 1) this.renewing = this.renew();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.waiting?.stop();
    await this.renewing;
  }

  private async isRecorded(): Promise<boolean> {
    const { adminId } = this.ledger.decided;
    return adminId !== null && (await this.gamerLog.isSealingRecorded(adminId));
  }

  private async sealOnce(): Promise<void> {
    const { adminId } = this.ledger.decided;
    if (this.seals.isStrict || adminId === null) return;
    if (!(await this.isRecorded())) {
      if (!this.versions.mayWrite('AccountsSealed', 1)) return;
      // Links of an earlier release last an hour; they are void.
      for (const table of ['password_resets', 'email_changes'])
        await this.pool.query(`DELETE FROM auth.${table} WHERE seal IS NULL`);
      // Enrolled on a node of an earlier release.
      await this.pool.query(
        `UPDATE auth.accounts AS account SET second_factor = encode(sha256(factor.secret), 'hex')
         FROM auth.second_factors AS factor WHERE factor.gamer_id = account.gamer_id AND factor.secret IS NOT NULL`,
      );
      const count = await sealRows(this.pool, this.seals, () => true);
      await this.gamerLog.recordSealing(adminId, this.clock.now());
      if (count > 1) this.logger.log(`${count} rows of accounts, sessions and recovery codes are sealed`);
    }
    this.seals.isStrict = true;
  }

  private retry(): Periodic {
    return every(
      RETRY_MS,
      async () => {
        if (!this.seals.isStrict) await this.bootstrap.locked(() => this.sealOnce());
      },
      (error) => this.logger.warn(`the rows of accounts are not sealed yet: ${error.message}`),
    );
  }

  /** Seals what the former secret sealed under the one in force. */
  private async renew(): Promise<void> {
    try {
      const count = await sealRows(this.pool, this.seals, (table, row) => {
        if (this.isStopped) throw new Error('the node stops');
        return this.seals.fits(table, row) && !this.seals.isCurrent(table, row);
      });
      this.logger.log(`all rows of accounts are sealed under the secret in force, ${count} of them now`);
    } catch (error) {
      this.logger.warn(
        `the rows of accounts are not all sealed under the secret in force: ${(error as Error).message}`,
      );
    }
  }
}
