import { Injectable } from '@nestjs/common';
import type { GamerId } from '../../../contracts/ids.js';
import type { LedgerCommand } from '../../../domain/ledger-commands.js';
import { Refused } from '../http/refused.js';
import { Ledger } from '../ledger/ledger.js';
import type { Account } from './account.entity.js';
import { AccountsStore } from './accounts.store.js';
import { GamerLog } from './gamer-log.js';

/**
 * Takes a reserved account the rest of the way: the log says who the gamer is, the ledger gives them a place.
 * Every step may be repeated, so a crash between two of them is repaired by doing all of them again.
 */
@Injectable()
export class Enrolment {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly gamerLog: GamerLog,
    private readonly ledger: Ledger,
  ) {}

  /** Answers with the ledger's position; null when the gamer had a place already. */
  async complete(account: Account): Promise<string | null> {
    if (account.enrolled) return null;
    await this.gamerLog.recordRegistration(account);
    const position = await this.takePlace(account);
    await this.accounts.markEnrolled(account.gamerId);
    return position;
  }

  private async takePlace(account: Account): Promise<string | null> {
    const { gamerId, sponsorId, role } = account;
    if (role === 'admin') return this.enrol({ type: 'EnrolHouse', gamerId }, account);
    if (sponsorId !== null) await this.completeSponsor(sponsorId);
    try {
      return await this.enrol({ type: 'EnrolGamer', gamerId, sponsorId }, account);
    } catch (error) {
      // The sponsor was removed between the registration and here: there is none then (decision 4).
      const isSponsorGone = error instanceof Refused && error.refusal.code === 'referral-code-not-found';
      if (!isSponsorGone || sponsorId === null) throw error;
      return this.enrol({ type: 'EnrolGamer', gamerId, sponsorId: null }, account);
    }
  }

  /** A sponsor whose own registration broke off has no place to put anyone under yet. */
  private async completeSponsor(sponsorId: GamerId): Promise<void> {
    const sponsor = await this.accounts.findById(sponsorId);
    if (sponsor && !sponsor.enrolled) await this.complete(sponsor);
  }

  private async enrol(command: LedgerCommand, { gamerId, role }: Account): Promise<string | null> {
    try {
      const by = { actor: { id: gamerId, role }, commandId: `enrol-${gamerId}` };
      return (await this.ledger.execute(command, by)).position;
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === 'gamer-already-enrolled') return null;
      throw error;
    }
  }
}
