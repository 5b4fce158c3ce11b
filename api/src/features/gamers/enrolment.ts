import { Injectable, Logger } from '@nestjs/common';
import type { GamerId } from '../../../../contracts/ids.js';
import type { LedgerCommand } from '../../../../domain/ledger/ledger-commands.js';
import { Ledger } from '../../ledger/ledger.js';
import { every, type Periodic } from '../../platform/every.js';
import { Refused } from '../../platform/failures.js';
import type { Account } from './account.entity.js';
import { AccountsStore } from './accounts.store.js';
import { GamerLog } from './gamer-log.js';
import { UnfinishedChanges } from './unfinished-changes.store.js';

const SWEEP_INTERVAL_MS = 60_000;
const PAGE_SIZE = 200;

/**
 * Completes the registration of a reserved account: appends it to the gamer's stream and enrols the gamer in the ledger.
 * Every step is idempotent, so repeating all of them repairs a crash between two: a sweep does this at the start and then
 * every minute.
 */
@Injectable()
export class Enrolment {
  private readonly logger = new Logger('registrations');
  private sweeping: Periodic | undefined;
  private isStopped = false;

  constructor(
    private readonly accounts: AccountsStore,
    private readonly gamerLog: GamerLog,
    private readonly ledger: Ledger,
    private readonly unfinished: UnfinishedChanges,
  ) {}

  start(): void {
    this.sweeping = every(
      SWEEP_INTERVAL_MS,
      () => this.sweep(),
      (error) => this.logger.warn(`unfinished registrations could not be read: ${error.message}`),
    );
    this.sweeping.runNow();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.sweeping?.stop();
  }

  /** An account that fails does not hold up the others; the next sweep tries it again. */
  async sweep(): Promise<void> {
    await this.unfinished.finish();
    let after = '';
    while (!this.isStopped) {
      const page = await this.accounts.notEnrolled(after, PAGE_SIZE);
      for (const account of page) {
        if (this.isStopped) return;
        await this.complete(account).catch((error: Error) => {
          this.logger.error(`the registration of ${account.gamerId} cannot be completed yet: ${error.message}`);
        });
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE_SIZE) return;
      after = last.gamerId;
    }
  }

  /** Returns the log position of the enrolment; null when the gamer was enrolled already. */
  async complete(account: Account): Promise<string | null> {
    if (account.enrolled) return null;
    await this.gamerLog.recordRegistration(account);
    const position = await this.enrol(account);
    await this.accounts.markEnrolled(account.gamerId);
    return position;
  }

  private async enrol(account: Account): Promise<string | null> {
    const { gamerId, sponsorId, role } = account;
    if (role === 'admin') return this.execute({ type: 'EnrolAdmin', gamerId }, account);
    if (sponsorId !== null) await this.completeSponsor(sponsorId);
    try {
      return await this.execute({ type: 'EnrolGamer', gamerId, sponsorId }, account);
    } catch (error) {
      // The sponsor was removed since the registration began: the gamer joins without one (decision 4).
      const isSponsorGone = error instanceof Refused && error.refusal.code === 'referral-code-not-found';
      if (!isSponsorGone || sponsorId === null) throw error;
      return this.execute({ type: 'EnrolGamer', gamerId, sponsorId: null }, account);
    }
  }

  /** A sponsor whose own registration was interrupted must be enrolled first. */
  private async completeSponsor(sponsorId: GamerId): Promise<void> {
    const sponsor = await this.accounts.findById(sponsorId);
    if (sponsor && !sponsor.enrolled) await this.complete(sponsor);
  }

  private async execute(command: LedgerCommand, { gamerId, role }: Account): Promise<string | null> {
    try {
      const metadata = { actor: { id: gamerId, role }, commandId: `enrol-${gamerId}` };
      return (await this.ledger.execute(command, metadata)).position;
    } catch (error) {
      // An interrupted try enrolled the gamer without the sponsor, who was gone: that command had another hash.
      const codes = ['gamer-already-enrolled', 'idempotency-key-reused'];
      if (error instanceof Refused && codes.includes(error.refusal.code)) return null;
      throw error;
    }
  }
}
