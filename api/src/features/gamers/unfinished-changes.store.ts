import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { type GamerId, isStaff, type Role } from '../../../../contracts/ids.js';
import { Ledger } from '../../ledger/ledger.js';
import { type AccountEdit, AccountsStore, type Tables } from './accounts.store.js';
import { GamerLog } from './gamer-log.js';
import { MailedLinksStore } from './mailed-links.store.js';

/** An append of a command that got a 503 has reached the log this long after the command began, or is lost. */
const SETTLED_AFTER_MS = 60_000;

/**
 * Changes of accounts that failed, or whose process ended: the row is as before, while the events may be in the log, or some of
 * them. The row then follows the gamer's stream, and the ledger's staff status and powers follow the role. The table
 * `auth.account_changes` has the changes that began and are not known to have ended.
 */
@Injectable()
export class UnfinishedChanges {
  private readonly logger = new Logger('accounts');

  constructor(
    private readonly pool: Pool,
    private readonly accounts: AccountsStore,
    private readonly gamerLog: GamerLog,
    private readonly ledger: Ledger,
    private readonly links: MailedLinksStore,
  ) {}

  /**
   * Changes an account as `AccountsStore.change` does. A change that fails after it began to record is finished later, a
   * refused one too: the ledger may have taken the role before the gamer's stream refused it.
   */
  change(gamerId: GamerId, wanted: AccountEdit, record: (tables: Tables) => Promise<AccountEdit>): Promise<void> {
    return this.accounts.change(gamerId, wanted, async (tables) => {
      const id = randomUUID();
      // Committed at once, before anything is appended.
      await this.pool.query('INSERT INTO auth.account_changes (id, gamer_id) VALUES ($1, $2)', [id, gamerId]);
      const edit = await record(tables);
      await end([id], tables);
      return edit;
    });
  }

  /** Finishes the changes that began this long ago. One that cannot be finished yet is tried again at the next call. */
  async finish(afterMs = SETTLED_AFTER_MS): Promise<void> {
    const { rows } = await this.pool.query<{ gamerId: GamerId; ids: string[] }>(
      `SELECT gamer_id AS "gamerId", array_agg(id) AS ids FROM auth.account_changes
       WHERE begun_at <= clock_timestamp() - $1 * interval '1 ms' GROUP BY gamer_id ORDER BY min(begun_at)`,
      [afterMs],
    );
    for (const { gamerId, ids } of rows) {
      try {
        await this.followLog(gamerId, ids);
      } catch (error) {
        this.logger.error(`the account of ${gamerId} cannot follow the log yet: ${(error as Error).message}`);
      }
    }
  }

  private async followLog(gamerId: GamerId, changeIds: readonly string[]): Promise<void> {
    const identity = await this.gamerLog.identityOf(gamerId);
    if (identity === null) {
      // The account is deleted.
      await this.pool.query('DELETE FROM auth.account_changes WHERE gamer_id = $1', [gamerId]);
      return;
    }
    await this.accounts.change(gamerId, identity, async (tables) => {
      // The row is locked now: no other change can begin.
      const latest = (await this.gamerLog.identityOf(gamerId)) ?? identity;
      if (isStaff(latest.role)) {
        // As a change of the role does: a gamer's password was enough to request them.
        await this.links.dropAllOf(gamerId, tables);
      }
      if (latest.role !== 'admin') await this.followRole(gamerId, latest.role);
      await end(changeIds, tables);
      return latest;
    });
  }

  /** In the admin's name: nobody else ends a staff status. */
  private async followRole(gamerId: GamerId, role: Exclude<Role, 'admin'>): Promise<void> {
    const { decided } = this.ledger;
    const { adminId } = decided;
    const hasPowersOfOperator = role !== 'operator' && decided.powersOf(gamerId).length > 0;
    if (adminId === null || (decided.isStaff(gamerId) === isStaff(role) && !hasPowersOfOperator)) return;
    const metadata = { actor: { id: adminId, role: 'admin' } as const, commandId: randomUUID() };
    // An operator's powers stay: only the ledger knows them.
    const change = { gamerId, isStaff: isStaff(role), ...(role !== 'operator' && { powers: [] }) };
    await this.ledger.execute({ type: 'SetStaffStatus', ...change }, metadata);
  }
}

/** In the transaction that changes the row: both are committed or neither. */
async function end(changeIds: readonly string[], tables: Tables): Promise<void> {
  await tables.query('DELETE FROM auth.account_changes WHERE id = ANY ($1)', [changeIds]);
}
