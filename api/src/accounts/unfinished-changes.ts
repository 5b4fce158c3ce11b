import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { type GamerId, isStaff } from '../../../contracts/ids.js';
import type { CommandMetadata } from '../../../domain/ledger-commands.js';
import { Ledger } from '../ledger/ledger.js';
import { Refused } from '../platform/failures.js';
import { type AccountEdit, AccountsStore, type Tables } from './accounts.store.js';
import { GamerLog } from './gamer-log.js';

/** An append that was under way when its command got a 503 has reached the log by then, or is lost. */
const SETTLED_AFTER_MS = 60_000;

/**
 * Changes of accounts without a definite outcome: the log or Postgres did not answer in time, so the row was rolled back, while
 * the events may be in the log. The row then follows the gamer's stream, and the ledger's staff status the role. Kept in memory:
 * after the end of the process the person who got the 503 has to send the change again.
 */
@Injectable()
export class UnfinishedChanges {
  private readonly logger = new Logger('accounts');
  private readonly unfinished = new Map<GamerId, { metadata: CommandMetadata; failedAtMonotonicMs: number }>();

  constructor(
    private readonly accounts: AccountsStore,
    private readonly gamerLog: GamerLog,
    private readonly ledger: Ledger,
  ) {}

  /** Changes an account as `AccountsStore.change` does, and remembers a change without a definite outcome. */
  async change(
    gamerId: GamerId,
    wanted: AccountEdit,
    metadata: CommandMetadata,
    record: (tables: Tables) => Promise<AccountEdit>,
  ): Promise<void> {
    try {
      await this.accounts.change(gamerId, wanted, record);
      this.unfinished.delete(gamerId);
    } catch (error) {
      if (!(error instanceof Refused)) {
        this.unfinished.set(gamerId, { metadata, failedAtMonotonicMs: performance.now() });
      }
      throw error;
    }
  }

  /** Finishes the changes that failed this long ago. One that cannot be finished yet is tried again at the next call. */
  async finish(afterMs = SETTLED_AFTER_MS): Promise<void> {
    for (const [gamerId, { metadata, failedAtMonotonicMs }] of this.unfinished) {
      if (performance.now() - failedAtMonotonicMs < afterMs) continue;
      try {
        await this.followLog(gamerId, metadata);
        this.unfinished.delete(gamerId);
      } catch (error) {
        this.logger.error(`the account of ${gamerId} cannot follow the log yet: ${(error as Error).message}`);
      }
    }
  }

  private async followLog(gamerId: GamerId, { actor }: CommandMetadata): Promise<void> {
    const identity = await this.gamerLog.identityOf(gamerId);
    if (identity === null) return;
    await this.accounts.change(gamerId, identity, async () => {
      // The row is locked now: no other change can begin.
      const latest = (await this.gamerLog.identityOf(gamerId)) ?? identity;
      if (!isStaff(latest.role) && this.ledger.decidedState.staff.has(gamerId)) {
        const metadata = { actor, commandId: randomUUID() };
        await this.ledger.execute({ type: 'SetStaffStatus', gamerId, isStaff: false, powers: [] }, metadata);
      }
      return latest;
    });
  }
}
