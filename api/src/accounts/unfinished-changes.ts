import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { type GamerId, isStaff, type Role } from '../../../contracts/ids.js';
import { Ledger } from '../ledger/ledger.js';
import { type AccountEdit, AccountsStore, type Tables } from './accounts.store.js';
import { EmailChangesStore } from './email-changes.store.js';
import { GamerLog } from './gamer-log.js';
import { PasswordResetsStore } from './password-resets.store.js';

/** An append that was under way when its command got a 503 has reached the log by then, or is lost. */
const SETTLED_AFTER_MS = 60_000;

/**
 * Changes of accounts that failed: the row was rolled back, while the events may be in the log, or some of them. The row then
 * follows the gamer's stream, and the ledger's staff status and powers follow the role. Kept in memory: after the end of the
 * process the person who got the 503 has to send a new tag or email again. A role needs no memory: ledger and table show it.
 */
@Injectable()
export class UnfinishedChanges {
  private readonly logger = new Logger('accounts');
  /** When the newest change failed, or was found half done. */
  private readonly unfinished = new Map<GamerId, { sinceMonotonicMs: number }>();

  constructor(
    private readonly accounts: AccountsStore,
    private readonly gamerLog: GamerLog,
    private readonly ledger: Ledger,
    private readonly resets: PasswordResetsStore,
    private readonly emailChanges: EmailChangesStore,
  ) {}

  /** Changes an account as `AccountsStore.change` does, and remembers a change that fails after it began to record. */
  async change(gamerId: GamerId, wanted: AccountEdit, record: (tables: Tables) => Promise<AccountEdit>): Promise<void> {
    let hasBegun = false;
    try {
      await this.accounts.change(gamerId, wanted, (tables) => {
        hasBegun = true;
        return record(tables);
      });
    } catch (error) {
      // A refusal too: the ledger may have taken the role before the gamer's stream refused it.
      if (hasBegun) this.remember(gamerId);
      throw error;
    }
  }

  /** Finishes the changes that failed this long ago. One that cannot be finished yet is tried again at the next call. */
  async finish(afterMs = SETTLED_AFTER_MS): Promise<void> {
    await this.findHalfStaff();
    for (const [gamerId, change] of this.unfinished) {
      if (performance.now() - change.sinceMonotonicMs < afterMs) continue;
      try {
        await this.followLog(gamerId);
        // Unless another change failed meanwhile.
        if (this.unfinished.get(gamerId) === change) this.unfinished.delete(gamerId);
      } catch (error) {
        this.logger.error(`the account of ${gamerId} cannot follow the log yet: ${(error as Error).message}`);
      }
    }
  }

  /** Remembers those who are staff in the ledger and not in the table, because a process ended in between; or whose role changes now. */
  private async findHalfStaff(): Promise<void> {
    const roles = await this.accounts.rolesOf([...this.ledger.decidedState.staff]);
    for (const [gamerId, role] of roles) if (!isStaff(role) && !this.unfinished.has(gamerId)) this.remember(gamerId);
  }

  private remember(gamerId: GamerId): void {
    this.unfinished.set(gamerId, { sinceMonotonicMs: performance.now() });
  }

  private async followLog(gamerId: GamerId): Promise<void> {
    const identity = await this.gamerLog.identityOf(gamerId);
    if (identity === null) return;
    await this.accounts.change(gamerId, identity, async (tables) => {
      // The row is locked now: no other change can begin.
      const latest = (await this.gamerLog.identityOf(gamerId)) ?? identity;
      if (isStaff(latest.role)) {
        // As a change of the role does: a gamer's password was enough to request them.
        await this.resets.dropAllOf(gamerId, tables);
        await this.emailChanges.dropAllOf(gamerId, tables);
      }
      if (latest.role !== 'admin') await this.followRole(gamerId, latest.role);
      return latest;
    });
  }

  /** In the admin's name: nobody else ends a staff status. */
  private async followRole(gamerId: GamerId, role: Exclude<Role, 'admin'>): Promise<void> {
    const { adminId, staff, powers } = this.ledger.decidedState;
    const hasPowersOfOperator = role !== 'operator' && powers.has(gamerId);
    if (adminId === null || (staff.has(gamerId) === isStaff(role) && !hasPowersOfOperator)) return;
    const metadata = { actor: { id: adminId, role: 'admin' } as const, commandId: randomUUID() };
    // An operator's powers stay: only the ledger knows them.
    const change = { gamerId, isStaff: isStaff(role), ...(role !== 'operator' && { powers: [] }) };
    await this.ledger.execute({ type: 'SetStaffStatus', ...change }, metadata);
  }
}
